#!/bin/sh
# Runs an operator's command beside finanzas.service, with its settings and as its user:
#   sudo /opt/finanzas/deploy/command.sh verify-ledger
# The command must run as the service's user. For another user, systemd would change the owner of the running server's
# data. The service's user can read and write only in /var/lib/finanzas. This script therefore opens a file argument
# itself, with the caller's rights and in the caller's directory, and passes it through standard input or output.
set -eu
name=$1
shift
input=
output=
previous=
for word in "$@"; do
  shift
  case "$name $previous" in
  'backup --to')
    output=$word
    word=-
    ;;
  'restore --signed-by') ;;
  restore\ * | verify-statement\ *)
    if [ -f "$word" ]; then
      input=$word
      word=-
    fi
    ;;
  esac
  case "$name $word" in
  'backup --to='*)
    output=${word#--to=}
    word=--to=-
    ;;
  'verify-statement --key' | 'verify-statement --key='*)
    # Standard input carries only one file, and the service's user cannot read further files of the caller.
    echo '--key es para quien no tiene el banco. Omítelo, o usa npm run verify-statement.' >&2
    exit 2
    ;;
  esac
  previous=$word
  set -- "$@" "$word"
done

run() {
  systemd-run --quiet --collect --wait --pipe \
    --property=DynamicUser=yes --property=User=finanzas \
    --property=StateDirectory=finanzas --property=StateDirectoryMode=0700 --property=UMask=0077 \
    --property=WorkingDirectory=/opt/finanzas --property=EnvironmentFile=/etc/finanzas.env \
    --setenv=NODE_ENV=production --setenv=DATA_DIR=/var/lib/finanzas \
    --setenv="OPERATOR_COMMAND=sudo /opt/finanzas/deploy/command.sh NAME" \
    /opt/finanzas/node_modules/.bin/node "server/operator/commands/$name.ts" "$@"
}

if [ -n "$input" ]; then
  run "$@" <"$input"
elif [ -z "$output" ] || [ "$output" = - ]; then
  run "$@"
elif [ -e "$output" ]; then
  echo "$output ya existe. Elige otro nombre." >&2
  exit 1
elif [ ! -d "$(dirname -- "$output")" ]; then
  echo "No existe el directorio $(dirname -- "$output"). Monta el disco, o crea el directorio primero." >&2
  exit 1
else
  umask 077
  # The output is written to a temporary file, which gets its final name when it is complete.
  trap 'rm -f -- "$output.unfinished"' EXIT
  run "$@" >"$output.unfinished"
  sync "$output.unfinished"
  mv -n -- "$output.unfinished" "$output"
fi
