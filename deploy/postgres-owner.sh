#!/bin/sh
# Once, on an empty database directory: the owner that DATABASE_URL names. No superuser; the servers make the rest.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$OWNER_PASSWORD" --username=postgres <<'SQL'
create role finanzas login createrole bypassrls password :'password';
create database finanzas owner finanzas;
SQL
