# The commands of the README, of CONTRIBUTING.md and of CI.

PREFIX ?= /usr/local
CAPTURE ?= Captures/heart-rate.btsnoop
PACKAGES := libpcap-dev libbluetooth-dev libarchive-dev libncurses-dev libsqlite3-dev libyaml-dev zlib1g-dev liblzma-dev
# The judges of the tests: JSON Schema, the programs of the documentation, the other reader of captures, a terminal, and the makers of archives.
TEST_PACKAGES := python3-jsonschema bluez cmark-gfm jq sqlite3 tshark tmux zsh fish bzip2 lz4 xz-utils zip zstd
# The virtual machine, the Bluetooth stack in it, and what records beside attlas.
LIVE_PACKAGES := qemu-system-x86 busybox-static kmod cpio dbus bluez bluez-test-tools tcpdump tshark tmux python3-venv

# Nothing is installed twice, and sudo is asked for only by who is not root.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# Across the modules, because each layer is one: 8 % of the instructions of a record. The toolchain's linker packs relocations,
# which glibc reads since 2.36, no plug-in asks for the symbols, and functions of the same code are one: 2 MB less, and 0.5 ms less at start-up.
# No library is looked for beside the binary, and what it calls of the libraries is bound, and then read-only, before it begins.
SWIFT_BUILD := swift build -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -cross-module-optimization \
	-Xcc -fstack-protector-strong -Xswiftc -use-ld=lld -Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs \
	-Xlinker --no-export-dynamic -Xlinker --icf=safe
BINARY := .build/release/attlas
VERSION := $(shell sed -n 's/.*"\([0-9][^"]*\)".*/\1/p' Sources/AttlasReport/Text/AttlasVersion.swift)

.PHONY: run build library wheel test test-python test-report test-live test-live-testers sanitize fuzz mutate bench docs test-docs manuals install uninstall packages format lint clean

run: build
	$(BINARY) show $(CAPTURE)

build: packages
	$(SWIFT_BUILD) --product attlas

# attlas beside tshark, btmon and libpcap. What is not installed is left out: make test installs tshark; bluez has btmon.
bench: build
	$(SWIFT_BUILD) --product attlas-bench
	.build/release/attlas-bench --attlas $(BINARY)

# The library for other languages. Its own modules and Swift's runtime are inside, and only what attlas.h names is seen.
LIBRARY := Python/attlas/libattlas.so
# Of a dynamic library SwiftPM looks for the parts of Foundation where those of programs are not.
SWIFT_STATIC = $(dir $(realpath $(shell command -v swiftc)))../lib/swift_static/linux
library: packages
	$(SWIFT_BUILD) --product attlas-tables -Xlinker -L$(SWIFT_STATIC)
	swiftc -emit-library -static-stdlib @.build/release/attlas-tables.product/Objects.LinkFileList -o $(LIBRARY) \
		-use-ld=lld -Xlinker --gc-sections -Xlinker --as-needed -Xlinker -z -Xlinker now -Xlinker --icf=safe -Xlinker -s \
		-Xlinker --version-script=Sources/CArrow/exports.map -larchive -lpcap -lz -llzma -l:libyaml.a

# The Python package, with the library in it.
wheel: PACKAGES += python3-venv
wheel: library
	python3 -m venv .build/python
	.build/python/bin/pip install --quiet build
	.build/python/bin/python -m build --quiet --wheel --outdir .build/wheel Python

# The wheel, installed and asked by those who read Arrow.
test-python: wheel build
	.build/python/bin/pip install --quiet pytest pyarrow polars duckdb pandas
	.build/python/bin/pip install --quiet --force-reinstall --no-deps .build/wheel/attlas-*.whl
	cd Python/tests && ATTLAS=$(CURDIR)/$(BINARY) $(CURDIR)/.build/python/bin/python -m pytest --quiet

test: PACKAGES += $(TEST_PACKAGES)
test: packages
	Tests/test.sh

# The pages of attlas report in a browser, about a minute.
test-report: PACKAGES += chromium chromium-driver python3-venv
test-report: packages
	swift build --product attlas
	python3 -m venv .build/browser
	.build/browser/bin/pip install --quiet pytest selenium
	.build/browser/bin/pip install --quiet --no-deps axe-playwright-python
	ATTLAS=$(CURDIR)/.build/debug/attlas .build/browser/bin/python -m pytest --quiet -p no:cacheprovider Tests/Report

# The documentation as one folder to open, .build/site/attlas, with DocC's of the library and with search, without a server or a network.
docs: PACKAGES += python3-venv
docs: packages
	swift build --product attlas
	python3 -m venv .build/docs
	.build/docs/bin/pip install --quiet mkdocs-material==9.8.1
	Documentation/site/build.sh .build/docs/bin/python .build/debug

# … in a browser, some ten seconds.
test-docs: PACKAGES += chromium chromium-driver python3-venv
test-docs: docs
	python3 -m venv .build/browser
	.build/browser/bin/pip install --quiet pytest selenium
	.build/browser/bin/python -m pytest --quiet -p no:cacheprovider Tests/Site

# The same tests twice: for memory that was freed or never there, and for what two threads touch at once. All of them, or with
# TESTS= those whose names match.
sanitize: TESTS ?= .
# Leaks are not looked for: LeakSanitizer takes parts of compiled definitions for lost that are held. They do not grow in
# number: the same 413 behind 150 000 inputs of make fuzz and behind 330 000.
sanitize: export ASAN_OPTIONS := detect_leaks=0
sanitize: PACKAGES += $(TEST_PACKAGES)
sanitize: packages
	ATTLAS_SANITIZER=address Tests/test.sh --sanitize=address --scratch-path .build/asan --filter '$(TESTS)'
	ATTLAS_SANITIZER=thread Tests/test.sh --sanitize=thread --scratch-path .build/tsan --filter '$(TESTS)'

# A virtual machine with a Bluetooth kernel, BlueZ and bumble: about two minutes.
test-live: PACKAGES += $(LIVE_PACKAGES)
test-live: packages
	swift build --product attlas
	Tests/Live/run.sh conversation

# The same with BlueZ's testers: about three minutes.
test-live-testers: PACKAGES += $(LIVE_PACKAGES)
test-live-testers: packages
	swift build --product attlas
	Tests/Live/run.sh testers

# Coverage-guided, with libFuzzer: each target for so many seconds. Documentation/limits.md.
fuzz: SECONDS ?= 60
fuzz: packages
	SECONDS_EACH=$(SECONDS) Tests/Fuzz/run.sh

# Every capture truncated at every octet of its first 4 kB, with every length a lie, and changed at random 20 000 times.
mutate: build
	$(SWIFT_BUILD) --product attlas-fuzz
	.build/release/attlas-fuzz mutate --attlas $(BINARY) $(wildcard Captures/*.btsnoop Captures/*.pcap) \
		$(filter-out %.py %.md,$(wildcard Captures/malformed/*)) $(if $(ATTLAS_CAPTURES),$(wildcard $(ATTLAS_CAPTURES)/*.*))

packages:
	@missing=; for package in $(PACKAGES); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
		$(SUDO) apt-get update && \
		DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y --no-install-recommends $$missing; \
	fi

# Pages of the documentation as man pages. cmark-gfm is small (0.4 MB), so it is installed, and no installation is without them.
manuals: PACKAGES += cmark-gfm
manuals: packages
	mkdir -p .build/manual
	for page in filter.7 dissectors.5 formats.7; do \
		Documentation/manual.sh attlas-$${page%.*} $${page#*.} $(VERSION) < Documentation/$${page%.*}.md > .build/manual/attlas-$$page || exit 1; \
	done

# The man page and the completions are made from the argument parser, so that they cannot say anything else.
install: PACKAGES += cmark-gfm
install: build manuals
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/man/man7 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -s -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/attlas
	$(BINARY) --generate-completion-script bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/attlas
	$(BINARY) --generate-completion-script zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_attlas
	$(BINARY) --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/attlas.fish
	swift build --product generate-manual
	mkdir -p .build/manual
	.build/debug/generate-manual $(BINARY) --section 1 --output-directory .build/manual
	install -m 644 .build/manual/attlas.1 $(DESTDIR)$(PREFIX)/share/man/man1/attlas.1
	install -m 644 .build/manual/attlas-*.5 $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 .build/manual/attlas-*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	install -d $(DESTDIR)$(PREFIX)/share/attlas
	install -m 644 Documentation/schemas/*.json $(DESTDIR)$(PREFIX)/share/attlas

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/attlas $(DESTDIR)$(PREFIX)/share/man/man1/attlas.1 \
		$(DESTDIR)$(PREFIX)/share/man/man5/attlas-*.5 $(DESTDIR)$(PREFIX)/share/man/man7/attlas-*.7 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/attlas \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_attlas \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/attlas.fish
	rm -rf $(DESTDIR)$(PREFIX)/share/attlas

format:
	swift format --in-place --recursive Package.swift Sources Tests Plugins

# The form, and which file depends on which: the compiler writes that down when it builds.
lint: packages
	swift format lint --strict --recursive Package.swift Sources Tests Plugins
	swift build
	python3 Tests/check-structure.py

clean:
	rm -rf .build
