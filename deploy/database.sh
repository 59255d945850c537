#!/bin/bash
# Makes the program's user, which is nobody special, and the database that it owns.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" --username postgres <<'SQL'
CREATE ROLE forecourt LOGIN PASSWORD :'password';
CREATE DATABASE forecourt OWNER forecourt;
SQL
