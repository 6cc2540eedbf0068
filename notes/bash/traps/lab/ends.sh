#!/usr/bin/env bash
# Ends bash and dash in different ways with an EXIT trap set, and prints as JSON in how many ways
# of each kind the trap ran: by itself, by a signal that can be trapped, and past every trap.
#
# Commands in single quotes are meant to stay as they are:
# shellcheck disable=SC2016

by_itself=(':' 'exit 3' 'set -e; false; :' 'set -u; : "$nope"')
by_signal=('kill -HUP $$; :' 'kill -INT $$; :' 'kill -TERM $$; :' 'kill -PIPE $$; :')
past_traps=('kill -KILL $$; :' 'exec true')

ran() {
  local shell=$1 end count=0
  shift
  for end; do
    if [[ $("$shell" -c 'trap "echo cleaning up" EXIT; '"$end" 2> /dev/null) == "cleaning up" ]]; then
      count=$((count + 1))
    fi
  done
  echo "$count"
}

exec 2> /dev/null # the messages about shells that a signal ended
printf '{"ways": %d, "signals": %d, ' "${#by_itself[@]}" "${#by_signal[@]}"
for shell in bash dash; do
  printf '"%s_itself": %d, ' "$shell" "$(ran "$shell" "${by_itself[@]}")"
  printf '"%s_signal": %d, ' "$shell" "$(ran "$shell" "${by_signal[@]}")"
  printf '"%s_past": %d' "$shell" "$(ran "$shell" "${past_traps[@]}")"
  if [[ $shell == bash ]]; then printf ', '; fi
done
echo '}'
