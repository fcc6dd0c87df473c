/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command: words in, one call of the library, a record out. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "tun.h"

enum exit_code {
	EXIT_DONE = 0,
	EXIT_USAGE = 1,	     /* nothing was asked of the kernel */
	EXIT_REFUSED = 2,    /* by the system */
	EXIT_INCOMPLETE = 3,
};

static const struct cmd objects[] = {
	{ .word = "tun", .help = "tun and tap devices, and how they pick the "
				 "queue of a packet",
	  .sub = tun_commands, .what = "command" },
	{ 0 },
};

static const struct cmd root = {
	.word = "nsteer",
	.help = "Control how Linux steers packets.",
	.sub = objects,
	.what = "object",
};

/*
 * A descriptor opened later must not become stdout by being the lowest free
 * one: a record written into a tun queue is a packet. What was closed stays
 * as good as closed, a write to it fails.
 */
static bool settle_stdio(void)
{
	int fd;

	for (fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR) != fd)
			return false;
	}
	return true;
}

/* Lines of the kernel's, each told as such. */
static void put_kernel(const char *text, const char *attr)
{
	char line[256];
	size_t len;

	while (text && *text) {
		len = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		text += len + (text[len] == '\n');
		if (!len)
			continue;
		fputs("Kernel: ", stderr);
		text_escape(stderr, line, true);
		if (attr && !*text)
			fprintf(stderr, " (%s)", attr);
		putc('\n', stderr);
	}
	if (attr && !text)
		fprintf(stderr, "Kernel: refused an attribute, %s\n", attr);
}

static void put_message(const char *what, const char *msg)
{
	fprintf(stderr, "%s: ", what);
	text_escape(stderr, msg, true);
	putc('\n', stderr);
}

static void on_log(void *data, enum nsteer_log_level level, const char *msg)
{
	(void)data;
	if (level == NSTEER_LOG_WARN)
		put_message("Warning", msg);
}

static enum exit_code fail_usage(const struct cmd_path *path,
				 const struct args_err *err)
{
	put_message("Error", err->msg);
	cmd_hint(path, stderr);
	return EXIT_USAGE;
}

/* The one place where an error becomes an exit status. */
static enum exit_code fail_run(const struct app *app,
			       const struct cmd_path *path, int err)
{
	const char *msg = app->msg[0] ? app->msg : nsteer_errmsg(app->ns);

	put_message("Error", *msg ? msg : strerror(-err));
	if (app->ns && !app->msg[0])
		put_kernel(nsteer_err_extack(app->ns),
			   nsteer_err_attr(app->ns));
	if (app->usage) {
		cmd_hint(path, stderr);
		return EXIT_USAGE;
	}
	return err == -EINTR ? EXIT_INCOMPLETE : EXIT_REFUSED;
}

static int run(struct app *app, const struct cmd *cmd, const void *args)
{
	const struct out_opts out = {
		.json = app->opts.json,
		.pretty = app->opts.pretty,
		.brief = app->opts.brief,
		.oneline = app->opts.oneline,
	};
	int err;

	NSTEER_OPTS(nsteer_open_opts, opts, .netns = app->opts.netns,
		    .netns_stay = true, .log = on_log);
	out_init(&app->out, stdout, &out);
	if (!cmd->no_context) {
		err = nsteer_open(&opts, &app->ns);
		if (err)
			return err;
	}
	return cmd->run(app, args);
}

/* Under -j all of stdout is JSON, this too. */
static int print_help(const struct cmd_path *path, const struct options *opts)
{
	struct json json;
	char *text = NULL;
	size_t len;
	FILE *f;

	if (!opts->json) {
		cmd_help(path, stdout);
		return 0;
	}
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	cmd_help(path, f);
	if (fclose(f)) {
		free(text);
		return -ENOMEM;
	}
	json_init(&json, stdout, opts->pretty);
	json_open_array(&json, NULL);
	json_open_object(&json, NULL);
	json_str(&json, "help", text);
	json_close(&json);
	json_close(&json);
	json_end(&json);
	free(text);
	return 0;
}

static void print_version(const struct options *opts)
{
	struct json json;
	char own[32];

	snprintf(own, sizeof(own), "%d.%d.%d", NSTEER_VERSION_MAJOR,
		 NSTEER_VERSION_MINOR, NSTEER_VERSION_PATCH);
	if (!opts->json) {
		printf("nsteer %s, libnsteer %s\n", own, nsteer_version());
		return;
	}
	json_init(&json, stdout, opts->pretty);
	json_open_array(&json, NULL);
	json_open_object(&json, NULL);
	json_str(&json, "nsteer", own);
	json_str(&json, "libnsteer", nsteer_version());
	json_close(&json);
	json_close(&json);
	json_end(&json);
}

static enum exit_code command(struct app *app, int argc,
			      const char *const *argv,
			      struct options_rest *rest)
{
	_Alignas(max_align_t) unsigned char args[CMD_ARGS_SIZE] = { 0 };
	struct cmd_path path = { .node = { &root }, .depth = 1 };
	struct args_err usage;
	const struct cmd *cmd;
	int err;

	if (options_parse(argc, argv, &app->opts, rest, &usage))
		return fail_usage(&path, &usage);
	if (app->opts.version) {
		print_version(&app->opts);
		return EXIT_DONE;
	}
	if (cmd_find(&root, rest->words, rest->count, app->opts.help, &path,
		     &usage))
		return fail_usage(&path, &usage);
	cmd = cmd_last(&path);
	if (!path.help && args_parse(cmd->args, rest->words + path.used,
				     rest->count - path.used, args, &path.help,
				     &usage))
		return fail_usage(&path, &usage);
	if (path.help)
		err = print_help(&path, &app->opts);
	else
		err = run(app, cmd, args);
	return err ? fail_run(app, &path, err) : EXIT_DONE;
}

int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv;
	struct options_rest rest = { 0 };
	enum exit_code code = EXIT_DONE;
	struct app app = { 0 };

	if (!settle_stdio())
		return EXIT_REFUSED;
	nsteer_libbpf_quiet();
	rest.words = calloc(argc + 1, sizeof(*rest.words));
	if (!rest.words)
		return EXIT_REFUSED;
	if (argc > 2 && !strcmp(argv[1], "help") && !strcmp(argv[2], "--words"))
		cmd_words(&root, argc - 3, words + 3, stdout);
	else
		code = command(&app, argc - 1, words + 1, &rest);
	nsteer_close(app.ns);
	free(rest.words);
	errno = 0;
	if ((fflush(stdout) || ferror(stdout)) && code == EXIT_DONE) {
		fprintf(stderr, "Error: cannot write to stdout: %s\n",
			strerror(errno ? errno : EIO));
		code = EXIT_REFUSED;
	}
	return code;
}
