#!/usr/bin/env bash
# manual.sh NAME SECTION VERSION < PAGE: a page of the documentation as a man page, on standard output.
#
# cmark-gfm has tables for man that nothing folds, so that a row becomes an item of a list.
set -euo pipefail
name=$1 section=$2 version=$3
page=$(cat)
title=$(head -n 1 <<< "$page" | sed 's/^# //; s/`//g')

echo ".TH ${name^^} $section \"\" \"attlas $version\""
printf '.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n' "$name" "$title"
tail -n +2 <<< "$page" | awk '
	/^```/ { code = !code }
	code || !/^\|/ { rows = 0; if (!code) gsub(/!\[[^]]*\]\([^)]*\)/, ""); if (!code && /^##/) sub(/^#/, ""); print; next }
	{
		gsub(/\\\|/, "\001"); count = split($0, cells, /[ ]*\|[ ]*/); rows++
		if (rows == 1) { for (i in cells) titles[i] = cells[i]; print ""; next }
		if (rows == 2) next
		line = "- " cells[2]
		for (i = 3; i < count; i++) if (cells[i] != "") line = line (i == 3 ? ": " : "; ") (i > 3 && titles[i] != "" ? titles[i] ": " : "") cells[i]
		gsub("\001", "|", line); print line
	}' | sed -E 's/\[([^]]*)\]\((\.\.\/)?[A-Za-z#-]+[^):]*\)/\1/g' | cmark-gfm -t man
printf '.SH SEE ALSO\n.BR attlas (1)\n'
