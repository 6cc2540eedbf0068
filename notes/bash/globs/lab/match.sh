#!/usr/bin/env bash
# Matches as many ones as LENGTH says, with an x behind them, against one of two patterns.
#
#     match.sh nested | flat LENGTH

shopt -s extglob
printf -v s '%*s' "${2:?usage: match.sh nested|flat LENGTH}" ''
s=${s// /1}x
case $1 in
  nested) p='+(+([0-9])?(.))' ;;
  flat)   p='+([0-9.])' ;;
  *)      exit 2 ;;
esac
[[ $s != $p ]] # without quotes: the value is a pattern
