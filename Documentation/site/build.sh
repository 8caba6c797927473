#!/usr/bin/env bash
# build.sh PYTHON BUILD: the documentation as one folder, .build/site/attlas, that is opened from a disk. It has the layout of the
# repository, so that links are the same on both.
set -euo pipefail
cd "$(dirname "$0")/../.."
pages=.build/site/pages
rm -rf .build/site
mkdir -p $pages/Documentation $pages/Python $pages/Packaging
cp README.md SECURITY.md CONTRIBUTING.md CHANGELOG.md Documentation/site/site.css Documentation/site/iframe-worker.js $pages
cp -r Documentation/*.md Documentation/*.png Documentation/schemas Documentation/ci $pages/Documentation
cp -r Python/*.md Python/examples $pages/Python
cp Packaging/README.md $pages/Packaging
# What DocC says of the library, of the modules that `swift build` made.
"$1" Documentation/site/api.py "$2" $pages/API
# A link that leads nowhere is an error. The environment: no words about other products of the generator's makers.
NO_MKDOCS_2_WARNING=1 "$1" -m mkdocs build --strict --quiet --config-file Documentation/site/mkdocs.yml
echo "file://$PWD/.build/site/attlas/index.html"
