#!/bin/sh
# One of the operator's commands beside finanzas.service, with its settings and as its user:
#   sudo /opt/finanzas/deploy/command.sh verify-ledger
# The user's name is the service's: for any other one systemd would give the data away while the server works with them.
set -eu
name=$1
shift
exec systemd-run --quiet --collect --wait --pipe \
  --property=DynamicUser=yes --property=User=finanzas \
  --property=StateDirectory=finanzas --property=StateDirectoryMode=0700 --property=UMask=0077 \
  --property=WorkingDirectory=/opt/finanzas --property=EnvironmentFile=/etc/finanzas.env \
  --setenv=NODE_ENV=production --setenv=DATA_DIR=/var/lib/finanzas \
  /opt/finanzas/node_modules/.bin/node "server/operator/commands/$name.ts" "$@"
