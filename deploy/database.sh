#!/bin/bash
# Creates the program's user, which is no superuser, and its database.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" --username postgres <<'SQL'
CREATE ROLE forecourt LOGIN PASSWORD :'password';
CREATE DATABASE forecourt OWNER forecourt;
SQL
