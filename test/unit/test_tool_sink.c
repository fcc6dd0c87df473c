/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command's output: numbers as bytes, and all of it written in order. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "sink.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- numbers ---- */

typedef char *(*number_fn)(char *p, uint64_t v);

/* Exactly these bytes, and none behind them. */
static void number_is(number_fn put, uint64_t v, const char *want)
{
	char buf[32];
	size_t len;

	memset(buf, '#', sizeof(buf));
	len = put(buf, v) - buf;
	ck_assert_uint_eq(len, strlen(want));
	ck_assert_mem_eq(buf, want, len);
	ck_assert_int_eq(buf[len], '#');
}

static char *put_u64(char *p, uint64_t v)
{
	return sink_u64(p, v);
}

static char *put_s64(char *p, uint64_t v)
{
	return sink_s64(p, v);
}

static void each_base(uint64_t v)
{
	char want[32];

	snprintf(want, sizeof(want), "%" PRIu64, v);
	number_is(put_u64, v, want);
	snprintf(want, sizeof(want), "%" PRId64, (int64_t)v);
	number_is(put_s64, v, want);
	snprintf(want, sizeof(want), "%" PRIx64, v);
	number_is(sink_x64, v, want);
}

START_TEST(numbers)
{
	static const struct {
		uint64_t v;
		const char *u, *s;
	} cases[] = {
		{ 0, "0", "0" },
		{ 9, "9", "9" },
		{ 10, "10", "10" },
		{ 99, "99", "99" },
		{ 100, "100", "100" },
		{ INT64_MAX, "9223372036854775807", "9223372036854775807" },
		{ (uint64_t)INT64_MIN, "9223372036854775808",
		  "-9223372036854775808" },
		{ UINT64_MAX, "18446744073709551615", "-1" },
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		number_is(put_u64, cases[i].v, cases[i].u);
		number_is(put_s64, cases[i].v, cases[i].s);
	}
	ck_assert_uint_eq(strlen(cases[COUNT(cases) - 1].u), SINK_U64_SIZE);
}
END_TEST

/* Where the number of digits changes, in each base. */
START_TEST(numbers_edges)
{
	uint64_t v;
	int i;

	for (v = 1, i = 0; i < 20; i++, v *= 10) {
		each_base(v - 1);
		each_base(v);
		each_base(v + 1);
		each_base(-v);
	}
	for (i = 0; i < 64; i++) {
		each_base((UINT64_C(1) << i) - 1);
		each_base(UINT64_C(1) << i);
	}
	for (v = 0; v < 1100; v++)
		each_base(v);
}
END_TEST

START_TEST(numbers_x8)
{
	char buf[3] = "..", want[3];
	int i;

	for (i = 0; i < 256; i++) {
		ck_assert_ptr_eq(sink_x8(buf, i), buf + 2);
		snprintf(want, sizeof(want), "%02x", i);
		ck_assert_str_eq(buf, want);
	}
}
END_TEST

/* ---- words ---- */

START_TEST(words)
{
	static const struct sink_word fixed = SINK_WORD(",\"k\":");
	char buf[2 * SINK_WORD_SIZE], name[3 * SINK_WORD_SIZE];
	struct sink_word w;

	ck_assert_uint_eq(sink_word(buf, &fixed, 0) - buf, 5);
	ck_assert_mem_eq(buf, ",\"k\":", 5);
	ck_assert_uint_eq(sink_word(buf, &fixed, 1) - buf, 4);
	ck_assert_mem_eq(buf, "\"k\":", 4);
	sink_word_make(&w, "<", "nameless", 4, ">");
	ck_assert_uint_eq(w.len, 6);
	ck_assert_mem_eq(w.text, "<name>", 6);
	/* One that is too long is cut, and what is behind it is kept. */
	memset(name, 'n', sizeof(name));
	sink_word_make(&w, "<", name, sizeof(name), ">");
	ck_assert_uint_eq(w.len, SINK_WORD_SIZE);
	ck_assert_int_eq(w.text[w.len - 2], 'n');
	ck_assert_int_eq(w.text[w.len - 1], '>');
}
END_TEST

/* Up to the first byte that is not plain; bytes of UTF-8 are none. */
START_TEST(plain)
{
	char in[] = "ab?c", buf[8];
	int c;

	for (c = 0; c < 256; c++) {
		bool is = c >= ' ' && c < 0x7f && c != '"' && c != '\\';

		in[2] = c;
		ck_assert_int_eq(sink_plain(buf, in, 4) - buf, is ? 4 : 2);
		ck_assert_mem_eq(buf, in, is ? 4 : 2);
	}
}
END_TEST

/* ---- writes that fail ---- */

/* The first failure is remembered, and what follows it is dropped. */
static void fails_with(int fd, int err)
{
	char buf[SINK_SIZE_MIN], large[3 * SINK_SIZE_MIN];
	struct sink sink;

	memset(large, 'x', sizeof(large));
	sink_init(&sink, fd, buf, sizeof(buf));
	sink_str(&sink, "short");
	ck_assert_int_eq(sink.err, 0);
	ck_assert_int_eq(sink_flush(&sink), err);
	ck_assert_int_eq(sink.err, err);
	/* Another failure does not replace it. */
	sink.fd = -1;
	sink_put(&sink, large, sizeof(large));
	sink_str(&sink, "short");
	ck_assert_int_eq(sink_flush(&sink), err);
	/* Nor does a descriptor that is whole again get the rest. */
	sink.fd = fd;
	ck_assert_int_eq(sink_flush(&sink), err);
	ck_assert_ptr_eq(sink.pos, buf);
	/* The first one may also come from what fits into no buffer. */
	sink_init(&sink, fd, buf, sizeof(buf));
	sink_put(&sink, large, sizeof(large));
	ck_assert_int_eq(sink.err, err);
}

START_TEST(fail_full)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	fails_with(fd, -ENOSPC);
	close(fd);
}
END_TEST

START_TEST(fail_pipe)
{
	int fd[2];

	ck_assert(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	ck_assert_int_eq(pipe(fd), 0);
	close(fd[0]);
	fails_with(fd[1], -EPIPE);
	close(fd[1]);
	fails_with(fd[1], -EBADF);
}
END_TEST

/* What was dropped does not come later. */
START_TEST(fail_drops)
{
	char buf[SINK_SIZE_MIN], got;
	struct sink sink;
	int fd[2];

	ck_assert_int_eq(pipe2(fd, O_NONBLOCK), 0);
	sink_init(&sink, -1, buf, sizeof(buf));
	sink_str(&sink, "lost");
	ck_assert_int_eq(sink_flush(&sink), -EBADF);
	sink.fd = fd[1];
	sink_str(&sink, "lost too");
	ck_assert_int_eq(sink_flush(&sink), -EBADF);
	ck_assert_int_eq(read(fd[0], &got, 1), -1);
	ck_assert_int_eq(errno, EAGAIN);
	close(fd[0]);
	close(fd[1]);
}
END_TEST

START_TEST(nothing)
{
	char buf[SINK_SIZE_MIN];
	struct sink sink;

	/* There is nothing to write, so nothing that could fail. */
	sink_init(&sink, -1, buf, sizeof(buf));
	sink_str(&sink, "");
	sink_put(&sink, NULL, 0);
	sink_hex(&sink, NULL, 0);
	ck_assert_int_eq(sink_flush(&sink), 0);
}
END_TEST

/* ---- large output ---- */

#define LINES 40000
#define LONG_LEN (SINK_SIZE_MIN + 3)

struct reader {
	pthread_t thread;
	int fd;
	char *got;
	size_t len, room;
	useconds_t pause;
};

/* A few bytes at a time: whoever writes has to wait, and writes in parts. */
static void *read_all(void *data)
{
	struct reader *r = data;
	ssize_t n;

	for (;;) {
		size_t want = r->pause ? 1000 : r->room - r->len;

		ck_assert_uint_gt(r->room, r->len);
		n = read(r->fd, r->got + r->len,
			 want < r->room - r->len ? want : r->room - r->len);
		if (n <= 0)
			break;
		r->len += n;
		if (r->pause && r->len % 8 == 0)
			usleep(r->pause);
	}
	return NULL;
}

static void reader_start(struct reader *r, int fd, useconds_t pause)
{
	*r = (struct reader){ .fd = fd, .room = 4 << 20, .pause = pause };
	r->got = malloc(r->room);
	ck_assert_ptr_nonnull(r->got);
	ck_assert_int_eq(pthread_create(&r->thread, NULL, read_all, r), 0);
}

/* Every way to write, so that each meets the end of the buffer. */
static void write_lines(struct sink *sink, unsigned int lines)
{
	char large[LONG_LEN];
	unsigned int i;

	memset(large, 'L', sizeof(large));
	for (i = 0; i < lines; i++) {
		sink->pos = sink_u64(sink_at(sink), i);
		sink_char(sink, ' ');
		sink_str(sink, "word ");
		sink_hex(sink, &i, sizeof(i));
		if (i % 1000 == 7)
			sink_put(sink, large, sizeof(large));
		sink_char(sink, '\n');
	}
}

static void check_lines(const struct reader *r, unsigned int lines)
{
	char line[64], large[LONG_LEN];
	const char *p = r->got, *end = r->got + r->len;
	unsigned int i, n;

	memset(large, 'L', sizeof(large));
	for (i = 0; i < lines; i++) {
		n = snprintf(line, sizeof(line), "%u word %08x", i,
			     __builtin_bswap32(i));
		ck_assert_uint_ge(end - p, n + 1);
		ck_assert_mem_eq(p, line, n);
		p += n;
		if (i % 1000 == 7) {
			ck_assert_uint_ge(end - p, sizeof(large));
			ck_assert_mem_eq(p, large, sizeof(large));
			p += sizeof(large);
		}
		ck_assert_int_eq(*p++, '\n');
	}
	ck_assert_ptr_eq(p, end);
}

static void through(const int fd[2], unsigned int lines, useconds_t pause)
{
	char buf[SINK_SIZE_MIN];
	struct reader r;
	struct sink sink;

	reader_start(&r, fd[0], pause);
	sink_init(&sink, fd[1], buf, sizeof(buf));
	write_lines(&sink, lines);
	ck_assert_int_eq(sink_flush(&sink), 0);
	close(fd[1]);
	ck_assert_int_eq(pthread_join(r.thread, NULL), 0);
	close(fd[0]);
	check_lines(&r, lines);
	free(r.got);
}

START_TEST(large_pipe)
{
	int fd[2];

	ck_assert_int_eq(pipe(fd), 0);
	through(fd, LINES, 0);
}
END_TEST

static void on_alarm(int sig)
{
	(void)sig;
}

/*
 * A signal that comes while a write waits cuts it short, or, when nothing was
 * written yet, makes it fail with EINTR: neither loses a byte.
 */
START_TEST(short_writes)
{
	const struct sigaction sa = { .sa_handler = on_alarm };
	const struct itimerspec every = {
		.it_interval.tv_nsec = 300000,
		.it_value.tv_nsec = 300000,
	};
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGALRM };
	sigset_t set;
	timer_t timer;
	int fd[2], size = 1;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	/* The reader inherits this: the signals are for the one who writes. */
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	ck_assert_int_eq(sigaction(SIGALRM, &sa, NULL), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	/* The kernel rounds it up to its minimum. */
	ck_assert_int_eq(setsockopt(fd[1], SOL_SOCKET, SO_SNDBUF, &size,
				    sizeof(size)), 0);
	ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &ev, &timer), 0);
	ck_assert_int_eq(timer_settime(timer, 0, &every, NULL), 0);
	{
		char buf[64 << 10];
		struct reader r;
		struct sink sink;

		reader_start(&r, fd[0], 500);
		ck_assert_int_eq(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
		sink_init(&sink, fd[1], buf, sizeof(buf));
		write_lines(&sink, LINES / 4);
		ck_assert_int_eq(sink_flush(&sink), 0);
		close(fd[1]);
		timer_delete(timer);
		ck_assert_int_eq(pthread_join(r.thread, NULL), 0);
		check_lines(&r, LINES / 4);
		free(r.got);
	}
	close(fd[0]);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("tool_sink");
	TCase *tc = tcase_create("bytes");

	tcase_add_test(tc, numbers);
	tcase_add_test(tc, numbers_edges);
	tcase_add_test(tc, numbers_x8);
	tcase_add_test(tc, words);
	tcase_add_test(tc, plain);
	suite_add_tcase(s, tc);
	tc = tcase_create("writes");
	tcase_add_test(tc, fail_full);
	tcase_add_test(tc, fail_pipe);
	tcase_add_test(tc, fail_drops);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, large_pipe);
	tcase_add_test(tc, short_writes);
	suite_add_tcase(s, tc);
	return s;
}
NST_REGISTER(suite);
