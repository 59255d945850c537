#!/bin/bash
# Creates the program's user, which is no superuser, and its database. The PostgreSQL image of compose.yaml runs it once.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" --username postgres <<'SQL'
CREATE ROLE forecourt LOGIN PASSWORD :'password';
CREATE DATABASE forecourt OWNER forecourt;
SQL
