# A Debian in a folder, as this machine's is, with what packages ask for: sourced by the tests of what is installed.

# make_debian ROOT PACKAGES, which commas separate.
make_debian() {
	local codename source
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	apt-get -qq update || true
	# From where this machine has its own.
	source=$(apt-get indextargets --format '$(CODENAME) $(ORIGIN) $(REPO_URI)' "Created-By: Packages" | sed -n "s/^$codename Debian //p" | head -n 1)
	debootstrap --variant=minbase --include="$2" "$codename" "$1" "$source" > "$1.log" || { tail "$1.log"; return 1; }
	# Programs ask it for their arguments.
	mountpoint -q "$1/proc" || mount -t proc proc "$1/proc"
}
