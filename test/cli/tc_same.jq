# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tc and nsteer say of the same filters, after the deliberate differences.
# Run with -n -R -r. A line in is of three fields, divided by tabs:
#
#	case PREF WORDS     what the filters of this preference are there for
#	tc DUMP JSON        a whole dump of tc's
#	tc_actions DUMP JSON  the same of actions
#	nsteer DUMP JSON    the same of nsteer's
#	want PREF JSON      for what tc prints no JSON of: nsteer has a filter of
#	                    this preference whose options hold these
#
# A line out: ok or bad, which filter, and where they differ. Each rule below is
# a difference that is meant; whatever no rule speaks of has to be equal.

# ---- words and numbers ----

def hexdigits: explode | map(if . > 96 then . - 87
	elif . > 64 then . - 55 else . - 48 end);
def hex: ltrimstr("0x") | hexdigits | reduce .[] as $d (0; . * 16 + $d);
def tohex: if . < 16 then "0123456789abcdef"[.:. + 1]
	else (. / 16 | floor | tohex) + (. % 16 | tohex) end;
def at(f; g): if f == null then . else f |= g end;
def rename($from; $to): if has($from) then .[$to] = .[$from] | del(.[$from])
	else . end;
def each_at(f; g): if f == null then . else f |= map(g) end;
# A mask is a string of hex digits.
def masked($key): at(.[$key + "_mask"]; hex);

# ---- rules for both ----

# Seconds go on between the two calls. What was never used has no time of use.
def without_times: at(.installed; true) |
	del(.last_used, .first_used, .expires);

# ---- rules for tc ----

def erspan: map(if .ver == 1 then del(.dir, .hwid) else del(.index) end);

# A number in brackets has no word.
def ethertype: if startswith("[") then "0x" + (.[1:-1] | tonumber | tohex)
	else . end;

def flower_key:
	masked("ip_tos") | masked("ip_ttl") | masked("enc_tos") |
	masked("enc_ttl") | masked("ct_mark") | masked("ct_zone") |
	# The TCP flags with their mask are one string.
	(if .tcp_flags then (.tcp_flags | split("/") | map(hex)) as $f |
		.tcp_flags = $f[0] |
		if $f[1] then .tcp_flags_mask = $f[1] else . end else . end) |
	# Small numbers are strings.
	at(.icmp_type; tonumber) | at(.icmp_code; tonumber) |
	at(.mpls_tc; tonumber) | at(.mpls_bos; tonumber) |
	at(.mpls_ttl; tonumber) |
	# Only two types have a name here, others are a number in hex.
	at(.eth_type; if . == "8847" then "mpls_uc"
		elif test("^[0-9a-f]{4}$") then "0x" + . else . end) |
	# A number in hex, too.
	at(.ip_proto; if test("^[0-9a-f]{2}$") then "\(hex)" else . end) |
	# Names of bits are one string.
	at(.ct_state; [scan("([+-])([a-z]+)") | {(.[1]): (.[0] == "+")}] | add) |
	# What the other version of erspan has is there, and 0.
	at(.erspan_opt_key; erspan) | at(.erspan_opt_mask; erspan) |
	each_at(.geneve_opt_key; rename("type"; "opt_type")) |
	each_at(.geneve_opt_mask; rename("type"; "opt_type")) |
	# A range of ports has the name of a port.
	(if .src_port | type == "object" then rename("src_port";
		"src_port_range") else . end) |
	(if .dst_port | type == "object" then rename("dst_port";
		"dst_port_range") else . end);

# The number of a u32 filter: table (12 bits), bucket (8), key (12).
def u32_handle: split(":") | ((.[0] // "") | hex) * 1048576 +
	((.[1] // "") | hex) * 4096 + ((.[2] // "") | hex);

def u32_options:
	# There is a handle, under another name and as a string.
	rename("fh"; "handle") | at(.handle; u32_handle) |
	# The key part of the handle, once more.
	del(.order) |
	# Numbers in hex are strings.
	at(.key_ht; hex) | at(.bkt; hex) | at(.fwmark_value; hex) |
	at(.fwmark_mask; hex) |
	at(.link; u32_handle) |
	# Keys are members of one name: what reads them sees the last one.
	# So does the counter of the last key, over that of the filter.
	del(.success) |
	at(.match; [{ value: (.value | hex), mask: (.mask | hex), off }]);

# An object for words, for a verdict of jump with its argument under this name.
def ct_nat: split(" ") as $w | { type: $w[0] } +
	(reduce range(1; $w | length; 2) as $i ({};
		($w[$i + 1] | split("-")) as $r |
		.[$w[$i]] = $r[0] | if $r[1] then .[$w[$i] + "_max"] = $r[1]
			else . end)) |
	at(.port; tonumber) | at(.port_max; tonumber);

def tc_action:
	# Of nat the kind is a "type".
	(if .type == "nat" then rename("type"; "kind") else . end) |
	# Of gate it is not told.
	(if has("schedule") then .kind = "gate" | at(.flags; hex) |
		rename("flags"; "gate_flags") else . end) |
	# An action of chance is told also where there is none.
	(if .prob.random_type == "none" then del(.prob) else . end) |
	# The flag is the value.
	(if .kind == "tunnel_key" and .flag then .[.flag] = true | del(.flag)
		else . end) |
	# A flag is a null.
	(if has("inheritdsfield") then .inheritdsfield = true else . end) |
	# No major number is no number.
	at(.priority; if type == "string" and startswith(":") then "0" + .
		else . end) |
	(if .kind == "skbedit" then rename("priority"; "skbedit_priority") |
		rename("mask"; "mark_mask") | masked("mark") else . end) |
	(if .kind == "ct" then masked("mark") | rename("label"; "ct_label")
		else . end) |
	at(.erspan_opts; erspan) |
	each_at(.geneve_opts; rename("type"; "opt_type")) |
	at(.protocol; ethertype) |
	# What ct's nat does is a string.
	(if .kind == "ct" then at(.nat; ct_nat) else . end) |
	# What csum updates is a string.
	(if .kind == "csum" then at(.csum; split(", ")) |
		rename("csum"; "csum_update") else . end) |
	# Masks of ctinfo are strings.
	at(.dscpmask; hex) | at(.dscpstatemask; hex) | at(.cpmark; hex) |
	# Pedit's values are strings of hex digits.
	each_at(.keys; at(.val; hex) | at(.mask; hex)) |
	rename("keys"; "pedit_keys") |
	# The mask of nat is told as 32 bits for every other one.
	(if .kind == "nat" then at(.old_addr; split("/")[0]) else . end) |
	# The program's name and whether it is jited are not the kernel's words
	# on the action: asked for by another system call.
	at(.prog; del(.name, .jited)) |
	without_times;

def tc_options:
	# Empty in a terse dump.
	(if .keys == {} then del(.keys) else . end) |
	at(.keys; flower_key) |
	# A handle is a string of some classifiers.
	at(.handle; if type == "string" then hex else . end) |
	at(.prog; del(.name, .jited)) |
	(if has("fh") then u32_options else . end) |
	each_at(.actions; tc_action);

def tc_filter: at(.options; tc_options) | at(.protocol; ethertype);

# ---- rules for nsteer ----

def nsteer_listed:
	# Of police tc has no rates in JSON, and two members of one name for
	# what becomes of the packets; what reads them sees the second one.
	(if .kind == "police" then
		(if .conform_action then .control_action = .conform_action
			else . end) |
		del(.rate, .burst, .mtu, .peakrate, .mpu, .avrate,
			.conform_action) else . end) |
	(if .kind == "nat" then at(.old_addr; split("/")[0]) else . end) |
	without_times;

def nsteer_action:
	# Of an action that is not for the hardware tc says nothing.
	del(.skip_hw) | nsteer_listed;

def nsteer_options($kind):
	# Tc has no names for the options of GTP.
	at(.keys; del(.gtp_opt_key, .gtp_opt_mask)) |
	# Tc does not print what basic counts.
	(if $kind == "basic" then del(.rule_hit, .success) else . end) |
	# Of u32's keys see above; tc does not say that it ends here.
	(if .match then .match |= [.[-1] | { value, mask, off }] |
		del(.terminal, .success) else . end) |
	each_at(.actions; nsteer_action);

# Which way is told of every filter.
def nsteer_filter: .kind as $kind | del(.hook) |
	at(.options; nsteer_options($kind));

# What was asked for on the command line tc does not tell again.
def as_asked($tc): if $tc == null then . else
	with_entries(select(.key as $k | $tc | has($k) or
		(["dev", "block", "parent", "chain", "pref", "protocol"] |
		index($k) | not))) end;

# The header records of classifiers are no filters.
def tc_dump: map(select(has("options")) | tc_filter);
def nsteer_dump($tc): map(nsteer_filter | as_asked($tc[0]));

# ---- rules for actions that are listed as such ----

def tc_listed: tc_action |
	# The place in a message.
	del(.order) |
	# Where it is in no hardware; how many hold it has a name of its own.
	del(.in_hw, .not_in_hw) |
	# A set of no bits is one of a word.
	at(.used_hw_stats; map(select(. != "disabled")));

# Two objects: how many, and these; in each message once more.
def tc_actions: [.[] | .actions? // empty | .[] | tc_listed];

# ---- comparing ----

def leaf: type != "object" and type != "array" or length == 0;
# An object of all ends by their paths.
def leaves: . as $all | [paths(leaf)] | map(. as $p |
	{ key: (map(tostring) | join(".")), value: ($all | getpath($p)) }) |
	from_entries;

# Where two differ, in words; equal: nothing.
def differ($a; $b): ($a | leaves) as $x | ($b | leaves) as $y |
	[($x + $y) | keys[] | . as $k | select(($x | has($k)) !=
		($y | has($k)) or $x[$k] != $y[$k])] |
	map("\(.): tc \($x[.] | tojson), nsteer \($y[.] | tojson)") | join("; ");

def verdict($what; $why): if $why == "" then "ok\t\($what)"
	else "bad\t\($what)\t\($why)" end;

def by_handle: map({ key: ("chain \(.chain) pref \(.pref) \(.protocol) " +
	"\(.kind) \(.options.handle)"), value: . }) | from_entries;

# A filter of either.
def pair($tc; $ns):
	if $ns == null then "only tc has it"
	# The kernel loses a matchall that does not fit into the rest of a
	# message, and tc asks with other messages [mall_walk].
	elif $tc == null and $ns.kind == "matchall" then ""
	elif $tc == null then "only nsteer has it"
	else differ($tc; $ns) end;

def compare($dump; $tc; $ns; $cases):
	if $tc == null then "bad\t\($dump)\ttc prints no JSON"
	elif $ns == null then "bad\t\($dump)\tnsteer prints no JSON"
	else
		# What a mark of u32 counted tc tells without -s, too.
		($tc | tc_dump | if $dump | test("without -s") then
			map(del(.options.fwmark_success)) else . end) as $tc |
		($ns | try nsteer_dump($tc) catch
			[{ kind: "no rule fits: \(.)" }]) as $ns |
		($tc | by_handle) as $a | ($ns | by_handle) as $b |
		verdict($dump + ", each once"; if ($b | length) == ($ns | length)
			then "" else "some have the same handle" end),
		(($a + $b) | keys[] | . as $k |
			verdict("\($dump), \($k) (\($cases["\(($b[$k] //
				$a[$k]).pref)"] // ""))"; pair($a[$k]; $b[$k])))
	end;

def by_index: map({ key: "\(.kind) index \(.index)", value: . }) |
	from_entries;

# A dump of actions.
def compare_actions($dump; $tc; $ns):
	if $tc == null then "bad\t\($dump)\ttc prints no JSON"
	elif $ns == null then "bad\t\($dump)\tnsteer prints no JSON"
	else
		($tc | tc_actions) as $tc |
		($ns | map(nsteer_listed)) as $ns |
		($tc | by_index) as $a | ($ns | by_index) as $b |
		verdict($dump + ", each once"; if ($b | length) == ($ns | length)
			and ($tc | length) == ($ns | length) then ""
			else "tc has \($tc | length), nsteer \($ns | length)" end),
		(($a + $b) | keys[] | . as $k |
			verdict("\($dump), \($k)"; differ($a[$k]; $b[$k])))
	end;

# What of $want is not so in $options, in words.
def lacks($want; $options): ($options | leaves) as $l |
	[$want | leaves | to_entries[] | select($l[.key] != .value) |
		"\(.key): wanted \(.value | tojson), is \($l[.key] | tojson)"] |
	join("; ");

# One filter of this preference has to have it all.
def wanted($pref; $want; $dumps; $cases):
	[$dumps[] | .nsteer // [] | .[] | select("\(.pref)" == $pref) |
		lacks($want; .options // {})] |
	verdict("wanted, pref \($pref) (\($cases[$pref]))";
		if any(. == "") then "" else (min_by(length) // "not there") end);

# Every case is somewhere.
def there($pref; $dumps; $cases): verdict("pref \($pref) (\($cases[$pref]))";
	if any($dumps[] | .nsteer // [] | .[]; "\(.pref)" == $pref) then ""
	else "not there" end);

# No key has two types, and no counter comes without -s.
def types($dumps): [$dumps[] | .nsteer // [] | .. | objects | to_entries[] |
	{ key, type: (.value | type) }] | unique | group_by(.key)[] |
	select(length > 1) | "\(.[0].key): \(map(.type) | join(", "))";
def counters($dumps): $dumps | to_entries[] |
	select(.key | test("without -s")) | .key as $dump |
	[.value.nsteer // [] | .. | objects | keys[]] | unique[] |
	select(IN("rule_hit", "success", "fwmark_success", "installed",
		"last_used", "first_used", "expires", "dscpset", "dscperror",
		"cpmarkset", "stats")) | "\($dump): \(.)";

reduce (inputs | split("\t")) as [$what, $name, $text] (
	{ cases: {}, dumps: {}, want: [] };
	if $what == "case" then .cases[$name] = $text
	elif $what == "want" then .want += [[$name, ($text | fromjson)]]
	else .dumps[$name][$what] = ($text | try fromjson catch null) end) |
. as $all |
(.dumps | to_entries[] | select(.value | has("tc")) |
	compare(.key; .value.tc; .value.nsteer; $all.cases)),
(.dumps | to_entries[] | select(.value | has("tc_actions")) |
	compare_actions(.key; .value.tc_actions; .value.nsteer)),
(.want[] | wanted(.[0]; .[1]; $all.dumps; $all.cases)),
(.cases | keys[] | there(.; $all.dumps; $all.cases)),
verdict("each key has one type"; [types(.dumps)] | join("; ")),
verdict("no counters without -s"; [counters(.dumps)] | join("; "))
