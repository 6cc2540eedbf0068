#!/bin/bash
set -euo pipefail
build() {
  local dir=$(mktemp -d)
  cd "$dir"
  make
}
! grep -q TODO notes.txt
build || echo "not built"
echo "built on $(hostname)"
