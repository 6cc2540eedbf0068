#!/bin/sh
# Provides what the tests need beyond Python, and prints the path of a Chromium to drive.
#
# What is missing is installed where this user may do so without being asked; otherwise the run
# ends with the command that helps. CHROMIUM=/path/to/browser names one to use instead.
set -eu
cd "$(dirname "$0")/../.."
. tools/setup/apt.sh

# Ubuntu's chromium packages are scripts that hand over to a snap, whose folders of its own keep
# a test from driving it.
is_snap() {
    case $(readlink -f "$1") in
    /snap/* | */bin/snap) return 0 ;;
    esac
    [ "$(head -c 2 "$1")" = '#!' ] && grep -q '/snap/bin' "$1"
}

runs() {
    timeout 60 "$1" --version >/dev/null 2>&1
}

find_browser() {
    if [ -n "${CHROMIUM:-}" ]; then
        runs "$CHROMIUM" || stop "CHROMIUM=$CHROMIUM does not run."
        echo "$CHROMIUM"
        return
    fi
    # The one without a window draws the same and takes a third less CPU time.
    for name in chromium-headless-shell chromium google-chrome-stable google-chrome chromium-browser; do
        path=$(command -v "$name") || continue
        if ! is_snap "$path" && runs "$path"; then
            echo "$path"
            return
        fi
    done
    # Those that `playwright install chromium` downloads, side by side.
    path=$(.venv/bin/python -c '
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)' 2>/dev/null) || return 0
    version=${path#*/chromium-}
    for path in "${path%%/chromium-*}/chromium_headless_shell-${version%%/*}"/*/chrome-headless-shell "$path"; do
        if [ -x "$path" ] && runs "$path"; then
            echo "$path"
            return
        fi
    done
}

# Playwright brings its own Node, which a system without a compiler lacks a library for.
playwright_runs() {
    .venv/bin/playwright --version >/dev/null 2>&1
}

has_chinese_font() {
    if command -v fc-list >/dev/null 2>&1; then
        fc-list :lang=zh family | grep -q .
    elif command -v dpkg-query >/dev/null 2>&1; then
        dpkg-query -W -f '${Status}' fonts-noto-cjk 2>/dev/null | grep -q 'install ok installed'
    fi
}

# Two faces that the style sheet names, since the tests measure lines and pictures of text: the
# width of whatever a system falls back on differs by a fifth.
has_face() {
    if command -v fc-list >/dev/null 2>&1; then
        fc-list "$1" family | grep -q .
    elif command -v dpkg-query >/dev/null 2>&1; then
        dpkg-query -W -f '${Status}' "$2" 2>/dev/null | grep -q 'install ok installed'
    fi
}

system() {
    # shellcheck source=/dev/null
    (. /etc/os-release 2>/dev/null && echo "${ID:-}")
}

browser_package() {
    if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
        echo chromium-headless-shell
    else
        echo chromium
    fi
}

browser=$(find_browser)
packages=''
command -v git >/dev/null 2>&1 || packages="$packages git"
playwright_runs || packages="$packages libatomic1"
has_chinese_font || packages="$packages fonts-noto-cjk"
has_face P052 fonts-urw-base35 || packages="$packages fonts-urw-base35"
has_face 'Liberation Sans' fonts-liberation || packages="$packages fonts-liberation"
helps=''
if [ -z "$browser" ]; then
    if [ "$(system)" = ubuntu ]; then
        helps='.venv/bin/playwright install --with-deps chromium'
    else
        packages="$packages $(browser_package)"
    fi
fi

if [ -n "$helps" ]; then
    # shellcheck disable=SC2086
    [ -z "$packages" ] || helps="$(apt_command $packages) && $helps"
    stop 'the tests need a Chromium, and here the package is a snap, which cannot be driven.' \
        'This installs one (or set CHROMIUM to the path of one that is there):' "$helps"
fi

if [ -n "$packages" ]; then
    # shellcheck disable=SC2086
    command=$(apt_command $packages)
    may_install || stop "the tests need$packages. This installs it:" "$command"
    echo "perfnotes: the tests need$packages; installing it" >&2
    # shellcheck disable=SC2086
    apt_install $packages || stop 'that did not work; by hand:' "$command"
    browser=$(find_browser)
fi

playwright_runs || stop 'Playwright does not run; this says why:' '.venv/bin/playwright --version'
[ -n "$browser" ] || stop 'no Chromium that runs was found; set CHROMIUM to the path of one.'
echo "$browser"
