# SPDX-License-Identifier: GPL-2.0-or-later
#
# The lines of run's verdict() to one table, what has to be said beside it, and
# the closing line. -v names=...: the columns.
BEGIN {
	FS = "\t"
	n = split(names, name, " ")
	while ((getline line <"test/kernels/skips") > 0)
		if (line !~ /^#/ && split(line, f, "|") >= 3) {
			declared[++n_declared] = line
			skip_name[n_declared] = f[1]
			skip_suite[n_declared] = f[2]
			# the reason may have a | in it
			sub(/^[^|]*\|[^|]*\|/, "", line)
			skip_reason[n_declared] = line
		}
}

function is_declared(kernel, suite, reason,    i) {
	for (i = 1; i <= n_declared; i++)
		if (kernel ~ "^(" skip_name[i] ")$" &&
		    suite ~ "^(" skip_suite[i] ")$" && reason ~ skip_reason[i])
			return happened[i] = 1
	return 0
}

function says(text) { said[++n_said] = text }
function broken(kernel, text) {
	says("failed: " kernel ": " text)
	failed++
}

$1 == "head" {
	release[$2] = $3
	seconds[$2] = $4
}
$1 == "row" {
	if (!($3 in seen)) { seen[$3] = 1; suite[++n_suites] = $3 }
	cell[$2, $3] = $4 ($6 ? "  " $6 " skipped" : "") ($5 ? "  " $5 " FAILED" : "")
	passed += $4; failed += $5; skipped += $6
	sum_passed[$2] += $4; sum_failed[$2] += $5; sum_skipped[$2] += $6
}
$1 == "skip" {
	says("skipped: " $2 ": " $3 ": " $4)
	if (!is_declared($2, $3, $4))
		broken($2, $3 " skipped what test/kernels/skips does not declare")
}
$1 == "skip" { skip_lines[$2]++ }
$1 == "fail" { broken($2, $3); judged[$2] = 1 }
$1 == "text" { says("    " $2 ": " $3) }
# The status and the counts of the whole run, against the sum of its suites; what
# it counts beyond them stands in its own "failed:" lines.
$1 == "total" {
	judged[$2] = 1
	split($4, t, ",")
	if ($4 != "" && t[1] + t[2] + t[3] == 0)
		broken($2, "there was no test to run")
	if ($4 == "")
		broken($2, "the tests ended with status " $3 " and without their closing line")
	else if (t[1] != 0 + sum_passed[$2] || t[3] != 0 + sum_skipped[$2] ||
		 t[2] < 0 + sum_failed[$2])
		broken($2, "results are missing: " t[1] " passed in all, " 0 + sum_passed[$2] " in the suites")
	else if (t[3] != 0 + skip_lines[$2])
		broken($2, t[3] " skipped, but " 0 + skip_lines[$2] " of them said why")
	else if (t[2] > 0 + sum_failed[$2])
		failed += t[2] - sum_failed[$2]
	else if ($3 != 0 && !t[2])
		broken($2, "the tests ended with status " $3)
}

END {
	for (i = 1; i <= n; i++)
		if (!(name[i] in judged))
			broken(name[i], "its results cannot be read")
	printf "\n%-20s", "passed"
	for (i = 1; i <= n; i++)
		printf "  %-22s", release[name[i]] ? release[name[i]] : name[i] " (?)"
	printf "\n"
	for (s = 1; s <= n_suites; s++) {
		printf "%-20s", suite[s]
		for (i = 1; i <= n; i++)
			printf "  %-22s", ((name[i], suite[s]) in cell) ? cell[name[i], suite[s]] : "-"
		printf "\n"
	}
	printf "%-20s", ""
	for (i = 1; i <= n; i++)
		printf "  %-22s", (name[i] == "host" ? "underneath, " : "guest, ") seconds[name[i]] " s"
	printf "\n\n"
	for (i = 1; i <= n_said; i++)
		print said[i]
	for (i = 1; i <= n_declared; i++)
		if (!happened[i] && skip_name[i] != "host")
			print "declared in test/kernels/skips, but it did not happen: " declared[i]
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0
}
