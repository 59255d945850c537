#!/usr/bin/env bash
# Runs a command with a temporary PostgreSQL cluster, which is deleted when the command ends or is interrupted. The
# command gets the cluster's URL in FORECOURT_TEST_POSTGRES_URL. Its user may create databases but is no superuser,
# because row-level security does not apply to superusers.
set -euo pipefail

if [ $# -eq 0 ]; then
  echo "Usage: tools/scripts/with-postgres.sh COMMAND [ARGUMENT...]" >&2
  exit 2
fi

initdb=$(command -v initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -n 1 || true)
if [ -z "$initdb" ]; then
  echo "PostgreSQL's programs are missing (Debian: sudo apt-get install postgresql)" >&2
  exit 1
fi
programs=$(dirname "$initdb")

# Runs a program of PostgreSQL. As root, runs it as the user postgres (of the Debian package), because it refuses to run
# as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

directory=$(mktemp -d "${TMPDIR:-/tmp}/forecourt-postgres.XXXXXX")
command_pid=
clean_up() {
  trap - EXIT
  trap '' INT TERM HUP
  if [ -n "$command_pid" ]; then
    kill -TERM -- "-$command_pid" 2>/dev/null || true
    wait "$command_pid" 2>/dev/null || true
  fi
  if [ -f "$directory/data/postmaster.pid" ]; then
    as_postgres "$programs/pg_ctl" -D "$directory/data" -m immediate -w stop >/dev/null 2>&1 || true
  fi
  rm -rf "$directory"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

[ "$(id -u)" != 0 ] || chown postgres "$directory"
cd "$directory"
as_postgres "$programs/initdb" -D "$directory/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync \
  >"$directory/log" 2>&1 || { cat "$directory/log" >&2; exit 1; }
as_postgres "$programs/postgres" --single -D "$directory/data" postgres <<<'CREATE ROLE forecourt LOGIN CREATEDB' \
  >>"$directory/log" 2>&1 || { cat "$directory/log" >&2; exit 1; }

settings="-c listen_addresses=127.0.0.1 -c unix_socket_directories=$directory -c max_connections=200"
# Tests need neither durability nor autovacuum. With DURABLE, which some benchmarks set, both are as PostgreSQL has them
# by default.
[ -n "${DURABLE:-}" ] || settings+=" -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal \
  -c max_wal_senders=0 -c autovacuum=off"
port=
for _ in 1 2 3 4 5; do
  candidate=$((20000 + RANDOM % 20000))
  if as_postgres "$programs/pg_ctl" -D "$directory/data" -l "$directory/data/server.log" \
    -o "$settings -p $candidate" -w start >/dev/null 2>&1; then
    port=$candidate
    break
  fi
done
if [ -z "$port" ]; then
  cat "$directory/data/server.log" >&2
  exit 1
fi

cd "$OLDPWD"
# Without this the server refuses to start on a cluster with fsync=off.
export FORECOURT_DATABASE_UNSAFE=true
export FORECOURT_TEST_POSTGRES_URL="postgres://forecourt@127.0.0.1:$port/postgres"
# Runs the command in the background, so that signals are handled at once, and in a process group of its own (-m), so
# that its child processes end too.
set -m
"$@" <&0 &
command_pid=$!
set +m
status=0
wait "$command_pid" || status=$?
command_pid=
exit "$status"
