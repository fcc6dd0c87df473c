# SPDX-License-Identifier: GPL-2.0-or-later
#
# make [all]      library and command into O (build)
# make setup      install what build and tests need (apt, dnf, pacman, zypper)
# make demo       what a steering policy does, in a throw-away namespace (root)
# make check      every test that this user can run; check-unpriv: without root
# make check-kernels [K="6.1 host"]     the tests in guests with other kernels
# make shell-kernel K=6.1 [C=COMMAND]   a shell in such a guest
# make bench; bench-tc: of it what is about tc alone
# make asan fuzz abi install uninstall dist clean
#
# O=DIR V=1 CC= CLANG= CPPFLAGS= CFLAGS= LDFLAGS= LTO= WERROR=1
# SANITIZE=address,undefined
# PREFIX= LIBDIR= BINDIR= MANDIR= BASHCOMPDIR= DESTDIR= FUZZ_SECONDS=

# From the command line only: what the environment calls O is the build folder
# of a kernel.
ifneq ($(origin O),command line)
override O := build
endif
ifneq ($(words $(O)),1)
$(error O=$(O): make cannot do with blanks in a name)
endif
# Of check-kernels and shell-kernel, see test/kernels/run.
$(foreach v,K C T MEM LIMIT ACCEL,$(if $(filter command,$(firstword \
	$(origin $(v)))),,$(eval override $(v) :=)))
export T MEM LIMIT ACCEL
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
BINDIR ?= $(PREFIX)/sbin
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
FUZZ_SECONDS ?= 60
ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang
LLVM_STRIP ?= llvm-strip
# The compiler's own, lest one for another machine does nothing.
OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)
PKG_CONFIG ?= pkg-config
export CC CLANG LLVM_STRIP PKG_CONFIG

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

ifneq ($(filter setup,$(MAKECMDGOALS)),)
# The tools are looked for while make reads this file, so what stands beside
# `setup` on the command line is left to a second make.
rest := $(filter-out setup,$(MAKECMDGOALS))
.PHONY: setup $(rest)
setup:
	@sh test/setup.sh install
ifneq ($(rest),)
$(firstword $(rest)): setup
	@$(MAKE) --no-print-directory $(rest)
$(wordlist 2,99,$(rest)): $(firstword $(rest))
	@:
endif
else

# ---- tools and flags ----

no_build := clean dist uninstall
ifneq ($(filter-out $(no_build),$(or $(MAKECMDGOALS),all)),)
# $(shell) hands on what is exported as of make 4.4 only.
missing := $(shell CC='$(CC)' CLANG='$(CLANG)' LLVM_STRIP='$(LLVM_STRIP)' \
	PKG_CONFIG='$(PKG_CONFIG)' sh test/setup.sh missing build \
	$(if $(filter check check-unpriv check-kernels asan tests,$(MAKECMDGOALS)),test run) \
	$(if $(filter %-kernels %-kernel,$(MAKECMDGOALS)),kernels) \
	$(if $(filter demo bench bench-tc,$(MAKECMDGOALS)),run) \
	$(if $(filter fuzz asan,$(MAKECMDGOALS)),sanitize))
ifneq ($(missing),)
$(error $(missing))
endif
endif

LIBS := libmnl libbpf libcap
VERSION := $(shell awk '/define NSTEER_VERSION_(MAJOR|MINOR|PATCH)/ \
	{ v = v s $$3; s = "." } END { print v }' include/nsteer/nsteer.h)

Q := $(if $(V),,@)
quoted = $(subst ','\'',$(1))
# What is to be linked, among what a program depends on.
linked = $(filter %.o %.a,$^)
say = $(if $(V),:,printf '  %-8s%s\n' $(1) $(2))

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wwrite-strings $(if $(WERROR),-Werror)
OPTIM := -O2 -g $(if $(SANITIZE),-fno-omit-frame-pointer \
	-fsanitize=$(SANITIZE) -fno-sanitize-recover=all, \
	-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
CFLAGS ?= $(OPTIM)
# Library and command, each for itself, are optimized across files, which takes
# a third off what a dump of filters costs. What is linked with the archive is
# not, for which only gcc can put both into one object.
LTO ?= $(if $(SANITIZE),,$(gcc_lto))
gcc_lto = $(eval gcc_lto := $$(shell $$(CC) -dM -E -x c /dev/null | \
	grep -q __clang__ || echo -flto=auto -ffat-lto-objects))$(gcc_lto)
cflags = -std=gnu11 -D_GNU_SOURCE= -Iinclude $(WARN) $(CPPFLAGS) $(CFLAGS) \
	-fPIC -fvisibility=hidden -MMD -MP
ldflags = -Wl,-z,relro,-z,now -Wl,--as-needed $(CFLAGS) $(LDFLAGS)
bpfflags = -target $(bpf_target) -mcpu=v2 -O2 -g -Wall -Wextra -Wno-unused-parameter \
	$(if $(WERROR),-Werror) -MMD -MP -Ilib/bpf \
	$(patsubst %,-idirafter /usr/include/%,$(multiarch))

# Asked once, and only by a make that builds.
pkg = $(eval $(1) := $$(shell $$(PKG_CONFIG) $(2)))$($(1))
lib_cflags = $(call pkg,lib_cflags,--cflags $(LIBS))
lib_libs = $(call pkg,lib_libs,--libs $(LIBS))
check_cflags = $(call pkg,check_cflags,--cflags check)
check_libs = $(call pkg,check_libs,--libs check)
multiarch = $(eval multiarch := $$(shell $$(CC) -print-multiarch \
	2>/dev/null))$(multiarch)
# The programs have the byte order of the library that they are in.
bpf_target = $(eval bpf_target := $$(shell $$(CC) $$(CFLAGS) -dM -E -x c \
	/dev/null | grep -q '__BYTE_ORDER__ __ORDER_BIG_ENDIAN__' && \
	echo bpfeb || echo bpfel))$(bpf_target)

# ---- what there is ----

lib_src := $(wildcard lib/core/*.c $(patsubst %,lib/%/*.c, \
	tun xdp fou tc feature) lib/bpf/embed.c)
bpf_src := $(wildcard lib/bpf/*.bpf.c)
tool_src := $(wildcard tool/*.c)
tiers := unit wire prog live
fuzz_src := $(wildcard test/fuzz/fuzz_*.c)
preload := test/cli/shim.c test/bench/replay.c
bench_src := $(filter-out $(preload),$(wildcard test/bench/*.c))
obj = $(patsubst %.c,$(O)/obj/%.o,$(1))

lib_obj := $(call obj,$(lib_src))
bpf_obj := $(patsubst lib/bpf/%.c,$(O)/bpf/%.o,$(bpf_src))
tool_obj := $(call obj,$(tool_src))
test_bin := $(foreach t,$(tiers),$(if $(wildcard test/$(t)/*.c),$(O)/test/$(t)))
fuzz_bin := $(patsubst test/fuzz/%.c,$(O)/test/%,$(fuzz_src))
fixture_obj := $(call obj,$(wildcard test/fixture*.c))
bench_bin := $(patsubst test/bench/%.c,$(O)/test/bench_%,$(bench_src))
tapload := $(if $(wildcard test/tapload.c),$(O)/test/tapload)
cli_bin := $(O)/test/hold $(O)/test/attach $(O)/test/shim.so
tool := $(if $(tool_src),$(O)/nsteer)
headers := $(wildcard include/nsteer/*.h)
man := $(wildcard man/*.[1-8])

.PHONY: all lib tool tests demo check check-unpriv check-kernels shell-kernel \
	bench bench-tc bench-bin fuzz fuzz-bin asan abi install uninstall dist \
	clean FORCE
all: lib tool
lib: $(O)/libnsteer.a $(if $(SANITIZE),,$(O)/libnsteer.so $(O)/libnsteer.pc)
tool: $(tool)
tests: $(test_bin) $(tool) $(tapload) $(cli_bin)

# Objects depend on the flags they were made with, what is linked on its own.
$(O)/obj/flags: private now = $(CC) $(cflags) $(LTO) $(CLANG) $(bpfflags)
$(O)/obj/ldflags: private now = $(CC) $(ldflags) $(LTO)
$(O)/obj/flags $(O)/obj/ldflags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(call quoted,$(now))' | cmp -s - $@ || \
		printf '%s\n' '$(call quoted,$(now))' >$@

$(O)/libnsteer.so.0 $(O)/nsteer $(test_bin) $(tapload) $(cli_bin) \
	$(bench_bin) $(fuzz_bin) $(O)/test/replay.so: $(O)/obj/ldflags

# ---- library ----

$(O)/bpf/%.bpf.o: lib/bpf/%.bpf.c $(O)/obj/flags
	@$(call say,BPF,$@)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(bpfflags) -MF $(@:.o=.d) -c -o $@ $<
	$(Q)$(LLVM_STRIP) -g $@

$(O)/obj/lib/bpf/embed.o: $(bpf_obj)
$(O)/obj/lib/%: private cflags += $(LTO) -Ilib $(lib_cflags)
# Its symbols are made by the assembler, of which the compiler sees nothing.
$(O)/obj/lib/bpf/embed.o: private cflags += -fno-lto \
	-DNST_BPF_DIR='"$(O)/bpf"'
$(O)/obj/tool/%: private cflags += $(LTO) -Itool
$(O)/obj/test/%: private cflags += -Ilib -Itool -Itest $(lib_cflags) $(check_cflags)

$(O)/obj/%.o: %.c $(O)/obj/flags
	@$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(cflags) -c -o $@ $<

# Without what only this very compiler could link.
$(O)/libnsteer.a: $(lib_obj)
	@$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(lib_obj)
	$(if $(LTO),$(Q)$(OBJCOPY) -R '.gnu.lto_*' -R '.gnu.debuglto_*' \
		-N __gnu_lto_slim $@)

$(O)/libnsteer.so.0: $(lib_obj) lib/libnsteer.map
	@$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $(lib_obj) -Wl,-soname,libnsteer.so.0 \
		-Wl,--version-script=lib/libnsteer.map -Wl,--no-undefined \
		$(ldflags) $(LTO) $(lib_libs)

$(O)/libnsteer.so: $(O)/libnsteer.so.0
	$(Q)ln -sf libnsteer.so.0 $@

# ---- command ----

$(O)/nsteer: $(tool_obj) $(lib_obj)
	@$(call say,LD,$@)
	$(Q)$(CC) -o $@ $(tool_obj) $(lib_obj) -pie $(ldflags) $(LTO) $(lib_libs)

# All of the command but its main(), for the tests of its pure parts.
$(O)/obj/tool.a: $(filter-out %/tool/nsteer.o,$(tool_obj))
	@rm -f $@ && $(AR) rcs $@ $^

# ---- tests ----

# The pure parts as they are in the command, optimized across files; the others
# with the archive.
define tier
$(O)/test/$(1): $(call obj,$(wildcard test/$(1)/*.c) test/harness.c \
	$(if $(filter prog live,$(1)),$(wildcard test/fixture*.c))) \
	$(if $(filter unit,$(1)),$(O)/obj/tool.a) \
	$(if $(filter unit wire,$(1)),$(lib_obj),$(O)/libnsteer.a)
$(O)/test/$(1): private lto := $(if $(filter unit wire,$(1)),$(LTO))
endef
$(foreach t,$(tiers),$(eval $(call tier,$(t))))
$(test_bin):
	@$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(linked) $(ldflags) $(lto) $(check_libs) $(lib_libs)

$(O)/test/tapload: $(O)/obj/test/tapload.o
	@$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(linked) $(ldflags) -pthread

$(O)/test/hold: $(O)/obj/test/cli/hold.o
$(O)/test/attach: $(O)/obj/test/cli/attach.o
$(O)/test/hold $(O)/test/attach:
	@$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(linked) $(ldflags)

# Preloaded, so they come without a sanitizer and their symbols are seen.
unsanitized = $(filter-out -fsanitize% -fno-sanitize%,$(1))
$(call obj,$(preload)): private cflags := \
	$(call unsanitized,$(cflags)) -Itest -fvisibility=default
$(O)/test/shim.so: $(O)/obj/test/cli/shim.o
$(O)/test/replay.so: $(O)/obj/test/bench/replay.o
$(O)/test/%.so:
	@$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $(linked) $(call unsanitized,$(ldflags)) -ldl

$(O)/test/bench_%: $(O)/obj/test/bench/%.o $(fixture_obj) $(O)/libnsteer.a
	@$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(linked) $(ldflags) $(lib_libs) -pthread

$(O)/test/fuzz_%: $(O)/obj/test/fuzz/fuzz_%.o $(O)/obj/tool.a $(O)/libnsteer.a
	@$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $(linked) $(ldflags) -fsanitize=fuzzer $(lib_libs)

demo: all $(tapload)
	@test/demo.sh $(O)

check: all tests
	@test/run $(O)

check-unpriv: all tests
	@test/run --unpriv $(O)

check-kernels:
	@test/kernels/run known $(K)
	$(Q)+$(MAKE) --no-print-directory all tests
	@test/kernels/run check $(O) $(K)

# $(value): the dollars in a command are the shell's over there.
shell-kernel: all
	@test/kernels/run shell $(O) '$(call quoted,$(K))' \
		$(if $(value C),'$(call quoted,$(value C))')

abi: lib
	@test/abi.sh $(O)

asan:
	$(Q)+$(MAKE) --no-print-directory O=$(O)/asan \
		SANITIZE=address,undefined tests
	@CK_TIMEOUT_MULTIPLIER=4 test/run $(O)/asan unit wire prog live cli

bench-bin: $(tapload) $(bench_bin) $(O)/test/replay.so

bench: all bench-bin
	@test/bench/run $(O)
	@test/bench/tc $(O)

bench-tc: all bench-bin
	@test/bench/tc $(O)

fuzz-bin: $(fuzz_bin)

# The corpus that is kept is read, what is found on the way stays in O.
fuzz:
	$(Q)+$(MAKE) --no-print-directory O=$(O)/fuzz CC=$(CLANG) \
		SANITIZE=fuzzer-no-link,address,undefined fuzz-bin
	@test/fuzz/run $(O)/fuzz $(FUZZ_SECONDS)

# ---- install ----

$(O)/libnsteer.pc: lib/libnsteer.pc.in include/nsteer/nsteer.h Makefile FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' \
		-e 's|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%)|' \
		-e 's|@VERSION@|$(VERSION)|' $< >$@

so := libnsteer.so
install: all
	install -d $(DESTDIR)$(INCLUDEDIR)/nsteer $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(BINDIR) $(DESTDIR)$(BASHCOMPDIR)
	install -m 644 $(headers) $(DESTDIR)$(INCLUDEDIR)/nsteer
	install -m 644 $(O)/libnsteer.a $(DESTDIR)$(LIBDIR)
	install -m 755 $(O)/$(so).0 $(DESTDIR)$(LIBDIR)/$(so).$(VERSION)
	ln -sf $(so).$(VERSION) $(DESTDIR)$(LIBDIR)/$(so).0
	ln -sf $(so).0 $(DESTDIR)$(LIBDIR)/$(so)
	install -m 644 $(O)/libnsteer.pc $(DESTDIR)$(LIBDIR)/pkgconfig
	$(if $(tool),install -m 755 $(tool) $(DESTDIR)$(BINDIR))
	$(foreach m,$(man),install -D -m 644 $(m) \
		$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(notdir $(m)) &&) :
	$(if $(wildcard bash-completion/nsteer),install -m 644 \
		bash-completion/nsteer $(DESTDIR)$(BASHCOMPDIR))

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/nsteer $(DESTDIR)$(BASHCOMPDIR)/nsteer \
		$(DESTDIR)$(LIBDIR)/libnsteer.a $(DESTDIR)$(LIBDIR)/$(so) \
		$(DESTDIR)$(LIBDIR)/$(so).0 $(DESTDIR)$(LIBDIR)/$(so).$(VERSION) \
		$(DESTDIR)$(LIBDIR)/pkgconfig/libnsteer.pc \
		$(patsubst include/%,$(DESTDIR)$(INCLUDEDIR)/%,$(headers)) \
		$(foreach m,$(man),$(DESTDIR)$(MANDIR)/man$(subst \
		.,,$(suffix $(m)))/$(notdir $(m)))
	-rmdir $(DESTDIR)$(INCLUDEDIR)/nsteer 2>/dev/null

dist:
	@mkdir -p $(O)
	git archive --prefix=nsteer-$(VERSION)/ -o $(O)/nsteer-$(VERSION).tar.gz \
		HEAD

# Nothing but a build folder, whatever O says.
clean:
	@rm -f $(O)/nsteer-$(VERSION).tar.gz; rmdir $(O) 2>/dev/null || :
	@for f in $(O) $(O)/asan $(O)/fuzz; do \
		[ -e $$f/obj/flags ] && ours=1; done; \
	[ ! -e $(O) ] || { [ "$$ours" ] && [ ! -e $(O)/Makefile ]; } || { \
		echo '$(O) is no build folder: left alone' >&2; exit 1; }
	rm -rf $(O)

-include $(shell find $(O)/obj $(O)/bpf -name '*.d' 2>/dev/null)
endif
