#!/usr/bin/env bash
# The checks of Packaging/release, each by a repository that breaks it; and of what it calls.
set -euo pipefail
cd "$(dirname "$0")/.."
. Tests/expect.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@attlas.invalid GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@attlas.invalid
commit() { git commit --quiet --all --allow-empty --message=a; }
set_version() {
	sed -i "s/StaticString = \".*\"/StaticString = \"$1\"/" Sources/AttlasText/Writers/AttlasVersion.swift
	sed -i "s/^version = .*/version = \"$1\"/" Python/pyproject.toml
	sed -i "s/\([v-]\)[0-9]*\.[0-9]*\.[0-9]*/\1$1/g" Packaging/ci/gitlab.yml Documentation/ci/*.yml
	sed -i "0,/^## .*/s//## $1 - 2026-01-02/" CHANGELOG.md
}
schema=Documentation/schemas/show.schema.json

# The files as they are now, in a repository of their own.
root=$PWD
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --no-dereference --target-directory "$folder"
cd "$folder"
# Each run would install packages.
echo "print('compared')" > Packaging/numbers.py
git init --quiet
git add --all
commit
release=Packaging/release

expect "no section of the version" 1 "CHANGELOG.md begins with" $release
set_version 1.0.0
expect "changes that are not committed" 1 "not committed" $release
commit
expect "a version that can be released" 0 "1.0.0 can be released" $release
expect "no tag by itself" 0 "" sh -c '! git tag | grep .'
git tag v1.0.0
expect "a version that was released" 1 "v1.0.0 was released" $release
set_version 0.9.0 && commit
expect "a lower version" 1 "lower than that of the last release, v1.0.0" $release
set_version 1.1.0
sed -i 's/^version = .*/version = "1.0.0"/' Python/pyproject.toml && commit
expect "another version of the Python package" 1 "pyproject.toml has the version 1.0.0" $release
set_version 1.1.0
sed -i 's/v1.1.0/v1.0.9/' Documentation/ci/gitlab.yml && commit
expect "another version in a file for CI" 1 "Documentation/ci/gitlab.yml has the version v1.0.9" $release
set_version 1.1.0
sed -i 's|](SECURITY.md)|](SECURE.md)|' README.md && commit
expect "a link to no file" 1 "README.md: SECURE.md" $release
git checkout --quiet HEAD~ -- README.md && set_version 1.1.0 && commit

# A new key is no fault; one that goes, and one of another type, are.
edit() { python3 -c "
import json, sys
path = '$schema'
schema = json.load(open(path))
keys = schema['\$defs']['line_capture']['properties']
$1
json.dump(schema, open(path, 'w'))"; }
edit "keys['new'] = {'type': 'string'}" && commit
expect "a new key" 0 "the schemas have all keys of v1.0.0" $release
edit "del keys['link_type']" && commit
expect "a key that went" 1 "show(capture).link_type: it is no longer there" $release
edit "keys['link_type'] = {'type': 'integer'}" && commit
expect "a key of another type" 1 "show(capture).link_type: it was string, it is integer" $release
git mv Documentation/schemas/lint-list.schema.json Documentation/schemas/rules.schema.json && commit
expect "a schema that went" 1 "lint-list.rules: it is no longer there" $release
set_version 2.0.0 && commit
expect "another major version" 0 "the major version rises" $release
echo "raise SystemExit(1)" > Packaging/numbers.py && commit
expect "numbers that were not compared" 1 "compared nothing" $release

# Dependencies with newer versions, without, and where nobody answers.
git init --quiet "$folder/dependency"
git -C "$folder/dependency" commit --quiet --allow-empty --message=a
for tag in 1.2.0 1.10.0 2.0.0-beta.1; do git -C "$folder/dependency" tag $tag; done
package() {
	echo ".package(url: \"$1\", exact: \"$2\")" > "$folder/dependencies"
	python3 Packaging/newer.py "$folder/dependencies"
}
expect "a newer version" 0 "dependency 1.2.0: there is 1.10.0" package "$folder/dependency" 1.2.0
expect "the newest version" 0 "dependency 1.10.0: the newest" package "$folder/dependency" 1.10.0
expect "no repository" 0 "nowhere 1.10.0: its repository cannot be asked" package "$folder/nowhere" 1.10.0
expect "dependencies that are not exact" 0 "" sh -c '! grep "\.package(url" Package.swift | grep -v "exact: \"[0-9.]*\""'

expect "no packages to compare with" 1 "No matching distribution found for bumble" env PIP_NO_INDEX=1 python3 "$root/Packaging/numbers.py"

# The commit: of a clone, of changed files, and of an archive without git.
expect "the commit of a clone" 0 "$(git rev-parse HEAD)" Packaging/source-info commit
echo >> README.md
expect "changed files" 0 ", changed" Packaging/source-info commit
git checkout --quiet README.md
mkdir "$folder/archive"
git archive HEAD Packaging Sources/AttlasText/Writers | tar --extract --directory "$folder/archive"
expect "the commit of an archive" 0 "$(git rev-parse HEAD)" env GIT_DIR=/nonexistent "$folder/archive/Packaging/source-info" commit
expect "its time" 0 "$(git log -1 --format=%ct)" env GIT_DIR=/nonexistent "$folder/archive/Packaging/source-info" epoch
expect "neither" 0 "unknown" env GIT_DIR=/nonexistent Packaging/source-info commit

echo "$passed passed, $failures failed"
[ $failures = 0 ]
