#!/bin/sh
# Creates the owner that DATABASE_URL names, once, on an empty database directory. The owner is not a superuser; the
# servers create the rest.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$OWNER_PASSWORD" --username=postgres <<'SQL'
create role finanzas login createrole bypassrls password :'password';
create database finanzas owner finanzas;
SQL
