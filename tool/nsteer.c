/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command: words in, one call of the library, a record out. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "tc.h"
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
	{ .word = "tc", .help = "filters of network devices and shared blocks",
	  .sub = tc_commands, .what = "command" },
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

/* A line on stderr, in one write. */
static void put_line(const char *what, const char *text, size_t len,
		     const char *attr)
{
	struct sink sink;
	char buf[512];

	sink_init(&sink, STDERR_FILENO, buf, sizeof(buf));
	sink_str(&sink, what);
	sink_str(&sink, ": ");
	text_escape(&sink, text, len, true);
	if (attr) {
		sink_str(&sink, " (");
		sink_str(&sink, attr);
		sink_char(&sink, ')');
	}
	sink_char(&sink, '\n');
	sink_flush(&sink);
}

static void put_message(const char *what, const char *msg)
{
	put_line(what, msg, strlen(msg), NULL);
}

/* Lines of the kernel's, each told as such. */
static void put_kernel(const char *text, const char *attr)
{
	size_t len;

	if (attr && !text)
		fprintf(stderr, "Kernel: refused an attribute, %s\n", attr);
	while (text && *text) {
		const char *line = text;

		len = strcspn(text, "\n");
		text += len + (text[len] == '\n');
		if (len)
			put_line("Kernel", line, len, *text ? NULL : attr);
	}
}

static void on_log(void *data, enum nsteer_log_level level, const char *msg)
{
	const struct app *app = data;

	if (level == NSTEER_LOG_WARN && !app->no_warnings)
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
	return app->incomplete || err == -EINTR ? EXIT_INCOMPLETE :
						  EXIT_REFUSED;
}

static int run(struct app *app, const struct cmd *cmd, const void *args)
{
	const struct out_opts out = {
		.json = app->opts.json,
		.pretty = app->opts.pretty,
		.brief = app->opts.brief && !(cmd->options & OPTIONS_TERSE),
		.oneline = app->opts.oneline,
	};
	int err;

	NSTEER_OPTS(nsteer_open_opts, opts, .netns = app->opts.netns,
		    .netns_stay = true, .log = on_log, .log_data = app);
	out_init(&app->out, &app->sink, &out);
	if (!cmd->no_context) {
		err = nsteer_open(&opts, &app->ns);
		if (err)
			return err;
	}
	return cmd->run(app, args);
}

/* Under -j all of stdout is JSON, this too. */
static int print_help(struct app *app, const struct cmd_path *path)
{
	struct json json;
	char *text = NULL;
	size_t len;
	FILE *f;

	if (!app->opts.json) {
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
	json_init(&json, &app->sink, app->opts.pretty);
	json_open_array(&json, NULL);
	json_open_object(&json, NULL);
	json_str(&json, JSON_KEY("help"), text);
	json_close(&json);
	json_close(&json);
	json_end(&json);
	free(text);
	return 0;
}

static void print_version(struct app *app)
{
	struct json json;
	char own[32];

	snprintf(own, sizeof(own), "%d.%d.%d", NSTEER_VERSION_MAJOR,
		 NSTEER_VERSION_MINOR, NSTEER_VERSION_PATCH);
	if (!app->opts.json) {
		printf("nsteer %s, libnsteer %s\n", own, nsteer_version());
		return;
	}
	json_init(&json, &app->sink, app->opts.pretty);
	json_open_array(&json, NULL);
	json_open_object(&json, NULL);
	json_str(&json, JSON_KEY("nsteer"), own);
	json_str(&json, JSON_KEY("libnsteer"), nsteer_version());
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
		print_version(app);
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
		err = print_help(app, &path);
	else if (options_check(&app->opts, cmd->options, &usage) ||
		 (cmd->check && cmd->check(&app->opts, args, &usage)))
		return fail_usage(&path, &usage);
	else
		err = run(app, cmd, args);
	return err ? fail_run(app, &path, err) : EXIT_DONE;
}

/* Results are large, and few writes are fast ones. */
static char stdout_buf[128 * 1024];

/* 0, or the negative errno of a write that failed. */
static int flush_stdout(struct app *app)
{
	int err = sink_flush(&app->sink);

	errno = 0;
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = errno ? -errno : -EIO;
	return err;
}

int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv;
	struct options_rest rest = { 0 };
	enum exit_code code = EXIT_DONE;
	struct app app = { 0 };
	int err;

	if (!settle_stdio())
		return EXIT_REFUSED;
	nsteer_libbpf_quiet();
	sink_init(&app.sink, STDOUT_FILENO, stdout_buf, sizeof(stdout_buf));
	rest.words = calloc(argc + 1, sizeof(*rest.words));
	if (!rest.words)
		return EXIT_REFUSED;
	if (argc > 2 && !strcmp(argv[1], "help") && !strcmp(argv[2], "--words"))
		cmd_words(&root, argc - 3, words + 3, stdout);
	else
		code = command(&app, argc - 1, words + 1, &rest);
	nsteer_close(app.ns);
	free(rest.words);
	err = flush_stdout(&app);
	if (err && code == EXIT_DONE) {
		fprintf(stderr, "Error: cannot write to stdout: %s\n",
			strerror(-err));
		code = EXIT_REFUSED;
	}
	return code;
}
