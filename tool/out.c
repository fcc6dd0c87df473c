/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out.h"

#include <inttypes.h>

void out_init(struct out *out, FILE *f, const struct out_opts *opts)
{
	*out = (struct out){ .f = f, .opts = *opts };
	json_init(&out->json, f, opts->pretty);
	text_init(&out->text, f, opts->oneline, opts->brief);
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

/* Each nest that is hidden counts, so that its end is hidden too. */
static bool skip_begin(struct out *out, const struct out_field *field)
{
	if (!hidden(out, field))
		return false;
	out->skip++;
	return true;
}

static bool skip_end(struct out *out)
{
	if (!out->skip)
		return false;
	out->skip--;
	return true;
}

void out_object(struct out *out, const struct out_field *field)
{
	if (skip_begin(out, field))
		return;
	if (out->opts.json)
		json_open_object(&out->json, field->key);
	else if (field->text)
		text_item(&out->text, field->text, 0, NULL);
}

void out_object_end(struct out *out)
{
	if (!skip_end(out) && out->opts.json)
		json_close(&out->json);
}

void out_list(struct out *out, const struct out_field *field)
{
	if (!skip_begin(out, field) && out->opts.json)
		json_open_array(&out->json, field->key);
}

void out_list_end(struct out *out)
{
	if (!skip_end(out) && out->opts.json)
		json_close(&out->json);
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

void out_item_end(struct out *out)
{
	if (!out->skip && out->opts.json)
		json_close(&out->json);
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
	text_item(&out->text, sentence, 0, NULL);
	text_record_end(&out->text);
}

void out_str(struct out *out, const struct out_field *field, const char *v)
{
	if (hidden(out, field))
		return;
	if (out->opts.json)
		json_str(&out->json, field->key, v);
	else if (field->text && *v)
		text_item(&out->text, field->text, field->width, v);
}

void out_u64(struct out *out, const struct out_field *field, uint64_t v)
{
	char buf[24];

	if (hidden(out, field))
		return;
	snprintf(buf, sizeof(buf), "%" PRIu64, v);
	if (out->opts.json)
		json_u64(&out->json, field->key, v);
	else if (field->text)
		text_item(&out->text, field->text, field->width, buf);
}

void out_s64(struct out *out, const struct out_field *field, int64_t v)
{
	char buf[24];

	if (hidden(out, field))
		return;
	snprintf(buf, sizeof(buf), "%" PRId64, v);
	if (out->opts.json)
		json_s64(&out->json, field->key, v);
	else if (field->text)
		text_item(&out->text, field->text, field->width, buf);
}

void out_flag(struct out *out, const struct out_field *field, bool v)
{
	if (hidden(out, field))
		return;
	if (out->opts.json)
		json_bool(&out->json, field->key, v);
	else if (field->text && v)
		text_item(&out->text, field->text, field->width, NULL);
}

void out_unknown(struct out *out, const struct out_field *field)
{
	if (!hidden(out, field) && !out->opts.json && out->opts.brief)
		text_item(&out->text, "%", field->width, "-");
}
