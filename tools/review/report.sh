#!/bin/sh
# Writes what a reviewer gets: the comment, the comparison as JSON, the findings and pictures.
#
#     tools/review/report.sh BASE FOLDER
#
# BASE is the branch that the pull request is for. Another workflow posts the comment, and it runs no
# code of the pull request: see .github/workflows/comment.yml.
set -eu
cd "$(dirname "$0")/../.."

base=$1
folder=$2
mkdir -p "$folder/comment"
# `make check` prints the findings. Here they go into a file for viewers of SARIF.
.venv/bin/perfnotes check --format sarif >"$folder/check.sarif" || [ $? -eq 1 ]
.venv/bin/perfnotes diff --merge-base "$base" --format json >"$folder/diff.json"
comment=$folder/comment/comment.md
.venv/bin/perfnotes diff --merge-base "$base" --format markdown >"$comment"
# A comment without pictures is better than none.
if .venv/bin/perfnotes diff --merge-base "$base" --format markdown \
    --screenshots "$folder/pictures" >"$folder/with-pictures.md"; then
    mv "$folder/with-pictures.md" "$comment"
else
    rm "$folder/with-pictures.md"
fi
