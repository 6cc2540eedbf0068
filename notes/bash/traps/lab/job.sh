#!/bin/bash
tmp=$(mktemp -d) || exit
trap "rm -rf $tmp" EXIT
trap 'echo interrupted' INT KILL
