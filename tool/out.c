/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out.h"

void out_init(struct out *out, struct sink *sink, const struct out_opts *opts)
{
	*out = (struct out){ .sink = sink, .opts = *opts };
	json_init(&out->json, sink, opts->pretty);
	text_init(&out->text, sink, opts->oneline, opts->brief);
}

void out_columns(struct out *out)
{
	out->opts.brief = true;
	out->text.columns = true;
}

void out_begin(struct out *out)
{
	if (out->opts.json)
		json_open_array(&out->json, NULL);
}

void out_end(struct out *out)
{
	if (!out->opts.json)
		return;
	json_close(&out->json);
	json_end(&out->json);
}

void out_record(struct out *out)
{
	if (out->opts.json)
		json_open_object(&out->json, NULL);
}

void out_record_end(struct out *out)
{
	if (out->opts.json)
		json_close(&out->json);
	else
		text_record_end(&out->text);
}

static bool hidden(const struct out *out, const struct out_field *field)
{
	return out->skip || (out->opts.brief && !field->brief);
}

/* See out_object_end(). */
static bool skip_begin(struct out *out, const struct out_field *field)
{
	if (!hidden(out, field))
		return false;
	out->skip++;
	return true;
}

/* A word without a value. */
static void put_lead(struct out *out, const struct out_field *field)
{
	if (!out->text.columns)
		out->sink->pos = text_begin(&out->text, &field->lead);
}

void out_object(struct out *out, const struct out_field *field)
{
	if (skip_begin(out, field))
		return;
	if (out->opts.json)
		json_open_object(&out->json, &field->key);
	else if (field->lead.len)
		put_lead(out, field);
}

void out_list(struct out *out, const struct out_field *field)
{
	if (!skip_begin(out, field) && out->opts.json)
		json_open_array(&out->json, &field->key);
}

void out_item(struct out *out)
{
	if (out->skip)
		return;
	if (out->opts.json)
		json_open_object(&out->json, NULL);
	else
		text_line(&out->text);
}

void out_line(struct out *out)
{
	if (!out->skip && !out->opts.json)
		text_line(&out->text);
}

void out_note(struct out *out, const char *sentence)
{
	if (out->skip || out->opts.json || out->opts.brief)
		return;
	sink_str(out->sink, sentence);
	text_record_end(&out->text);
}

/* ---- values ---- */

/* Text: true where the value itself is to be written at *p, as usual. */
static bool begin_text(struct out *out, const struct out_field *field, char **p)
{
	if (!field->lead.len || out->text.columns)
		return false;
	*p = text_begin(&out->text, &field->lead);
	return true;
}

static void end_text(struct out *out, const struct out_field *field, char *p)
{
	out->sink->pos = p;
	if (*field->tail)
		sink_str(out->sink, field->tail);
}

/* One that was made elsewhere is for a column. */
static void put_column(struct out *out, const struct out_field *field,
		       const char *v, size_t len)
{
	if (field->lead.len)
		text_column(&out->text, field->width, v, len);
}

void out_str(struct out *out, const struct out_field *field, const char *v)
{
	char *p;

	if (hidden(out, field))
		return;
	if (out->opts.json) {
		json_str(&out->json, &field->key, v);
	} else if (!*v) {
		;
	} else if (begin_text(out, field, &p)) {
		out->sink->pos = p;
		text_escape(out->sink, v, strlen(v), false);
		end_text(out, field, out->sink->pos);
	} else {
		put_column(out, field, v, strlen(v));
	}
}

void out_u64(struct out *out, const struct out_field *field, uint64_t v)
{
	char buf[SINK_U64_SIZE], *p;

	if (hidden(out, field))
		return;
	if (out->opts.json)
		json_u64(&out->json, &field->key, v);
	else if (begin_text(out, field, &p))
		end_text(out, field, sink_u64(p, v));
	else
		put_column(out, field, buf, sink_u64(buf, v) - buf);
}

void out_s64(struct out *out, const struct out_field *field, int64_t v)
{
	char buf[SINK_U64_SIZE], *p;

	if (hidden(out, field))
		return;
	if (out->opts.json)
		json_s64(&out->json, &field->key, v);
	else if (begin_text(out, field, &p))
		end_text(out, field, sink_s64(p, v));
	else
		put_column(out, field, buf, sink_s64(buf, v) - buf);
}

/* As many as there is room for at a time. */
#define AT_ONCE 10

static bool is_simple(const struct out *out, size_t n)
{
	return n <= AT_ONCE && !out->skip && !out->opts.brief &&
	       !out->json.pretty;
}

void out_u64s(struct out *out, const struct out_field *object,
	      const struct out_field *fields, const uint64_t *v, size_t n)
{
	const size_t room = AT_ONCE * (SINK_WORD_SIZE + SINK_U64_SIZE);
	bool json = out->opts.json, simple = is_simple(out, n);
	size_t i;
	char *p;

	out_object(out, object);
	for (i = 0; i < n && !simple; i++)
		out_u64(out, &fields[i], v[i]);
	p = sink_room(out->sink, room);
	for (; i < n; i++) {
		p = json ? sink_word(p, &fields[i].key, !i) :
			   sink_word(p, &fields[i].lead, 0);
		p = sink_u64(p, v[i]);
	}
	out->sink->pos = p;
	out_object_end(out);
}

void out_x64(struct out *out, const struct out_field *field, uint64_t v)
{
	char buf[SINK_U64_SIZE], *p;

	if (hidden(out, field))
		return;
	if (out->opts.json)
		json_u64(&out->json, &field->key, v);
	else if (begin_text(out, field, &p))
		end_text(out, field, sink_0x64(p, v));
	else
		put_column(out, field, buf, sink_0x64(buf, v) - buf);
}

void out_hex(struct out *out, const struct out_field *field, const void *bytes,
	     size_t len)
{
	char buf[64], *p = buf;
	const unsigned char *b = bytes;

	if (hidden(out, field))
		return;
	if (out->opts.json) {
		json_hex(&out->json, &field->key, bytes, len);
	} else if (begin_text(out, field, &p)) {
		out->sink->pos = p;
		sink_hex(out->sink, bytes, len);
		end_text(out, field, out->sink->pos);
	} else {
		for (; len && p < buf + sizeof(buf); len--)
			p = sink_x8(p, *b++);
		put_column(out, field, buf, p - buf);
	}
}

void out_flag(struct out *out, const struct out_field *field, bool v)
{
	if (hidden(out, field))
		return;
	if (out->opts.json)
		json_bool(&out->json, &field->key, v);
	else if (field->lead.len && v)
		put_lead(out, field);
}

void out_unknown(struct out *out, const struct out_field *field)
{
	if (!hidden(out, field) && !out->opts.json && out->opts.brief)
		text_column(&out->text, field->width, "-", 1);
}

void out_heading(struct out *out, const struct out_field *field)
{
	const char *name;
	size_t len;

	name = out_field_name(field, &len);
	if (!hidden(out, field) && !out->opts.json && out->text.columns)
		put_column(out, field, name, len);
}

void out_heading_end(struct out *out)
{
	if (!out->opts.json && out->text.columns)
		text_record_end(&out->text);
}

/* ---- copies ---- */

static struct out_state state_of(const struct out *out)
{
	return (struct out_state){
		.depth = out->json.depth,
		.used = out->json.used,
		.begun = out->text.begun,
	};
}

void out_copy_begin(struct out *out, struct out_copy *copy)
{
	copy->before = state_of(out);
	copy->from = sink_room(out->sink, 2 * OUT_COPY_SIZE) - out->sink->buf;
}

void out_copy_end(struct out *out, struct out_copy *copy)
{
	size_t at = out->sink->pos - out->sink->buf;

	copy->len = at - copy->from;
	/* Was it written meanwhile, for all the room? */
	if (at < copy->from || copy->len > OUT_COPY_SIZE) {
		copy->len = 0;
		return;
	}
	copy->after = state_of(out);
	memcpy(copy->close, out->json.close, sizeof(copy->close));
	memcpy(copy->buf, out->sink->buf + copy->from, copy->len);
}

bool out_copy(struct out *out, const struct out_copy *copy)
{
	if (!copy->len || copy->before.depth != out->json.depth ||
	    copy->before.used != out->json.used ||
	    copy->before.begun != out->text.begun)
		return false;
	memcpy(out->json.close, copy->close, sizeof(copy->close));
	out->json.depth = copy->after.depth;
	out->json.used = copy->after.used;
	out->text.begun = copy->after.begun;
	sink_put(out->sink, copy->buf, copy->len);
	return true;
}
