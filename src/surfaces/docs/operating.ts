import { OLDEST_NODE } from "../../platform/node-version.ts";
import { CLONE, CONTAINER, commandAt, PACKAGE, SERVER_PACKAGE } from "../../platform/own-command.ts";
import { version } from "../../platform/version.ts";
import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";

export function operatingDocument(): Document {
  return {
    path: "/docs/operating",
    title: "Operating",
    summary: "Back up, move and deploy your own service: SQLite, PostgreSQL, reverse proxy, systemd, containers.",
    section: "Guides",
    markdown: page(
      "# Operating",
      ...commands(),
      ...sqliteBackups(),
      ...moveToPostgres(),
      ...postgresBackups(),
      ...deployment(),
    ),
  };
}

/** A command as this page writes it. */
const installed = (line: string) => commandAt(PACKAGE, line);

function commands(): string[] {
  return [
    `Commands on this page are written for a service that was installed as a package. Elsewhere they begin differently, and
are otherwise the same:`,
    table(
      ["where the service runs", "for example"],
      [
        ["installed as a package", `\`${installed("doctor")}\``],
        ["in a container", `\`${commandAt(CONTAINER, "doctor")}\``],
        ["in a checkout", `\`${commandAt(CLONE, "doctor")}\``],
      ],
    ),
  ];
}

function sqliteBackups(): string[] {
  return [
    "## Backing up SQLite",
    fenced("sh", installed("backup --to /backups/beckon-$(date +%F).db")),
    `The service keeps running. The backup is a consistent snapshot, checked by SQLite and by \`${installed("audit")}\`; exit code 1 means
that it failed, or that the books in it do not add up. It contains password hashes and signing keys, so only its owner
may read it; keep it on another machine. Never copy the database file itself while a service runs: the latest changes
are in the log beside it.`,
    `Secrets that the service must read again, such as those of authenticator apps, are sealed in it with \`SECRETS_KEY\`, which
is not in the backup. Keep that key in another place: without it, a restored service runs, but cannot read them. The same
is true of the dumps and base backups of PostgreSQL. A sandbox without the setting keeps its key in the file
\`secrets-key\` beside the database. \`${installed("doctor")}\` says whether every sealed secret can be opened.`,
    fenced("sh", installed("restore --from /backups/beckon-2026-11-22.db --force")),
    `Stop the service first: a database that is open is not replaced. The backup is checked before anything changes, and then
migrated to the latest schema. Without \`--force\` only an empty database is replaced. With it, the old database is kept
beside the new one, under a name with the time. A file that was moved to PostgreSQL is not replaced, since all later
changes are in PostgreSQL. Everything submitted, paid or returned since the backup is missing from it: compare it with
your card processor before you start the service again. The command says whether the present \`SECRETS_KEY\` opens the
sealed secrets, and what to do if not.`,
  ];
}

function moveToPostgres(): string[] {
  return [
    "## Moving to PostgreSQL",
    `PostgreSQL (15 or newer) is needed for more than one machine. Create an empty database, stop the service, and move:`,
    fenced(
      "sh",
      `createdb -E UTF8 -T template0 --locale=C beckon
export DATABASE_URL='postgres://beckon:PASSWORD@db.example.com/beckon?sslmode=verify-full'
${installed("move --from file:./data/beckon.db")}`,
    ),
    `The encoding of the database must be UTF-8. \`sslmode=verify-full\` encrypts the connection and verifies the server;
\`sslrootcert=FILE\` names the certificate of your own authority. \`require\`, \`verify-ca\` and \`prefer\` mean the same here;
\`no-verify\` encrypts without verifying the server.`,
    `All tables are moved in one transaction: read in order, written, read back, compared by count and SHA-256, and audited. If
anything is wrong, the target stays empty and the source unchanged. If the books of the source do not add up already,
\`--force\` moves them all the same. A target that was opened before but has no data counts as empty. The move refuses to
run while a service runs on either database, and no service can start on the file meanwhile. PostgreSQL does not accept
text with a NUL character; such text is reported with its table, column and key. Nothing is left out or changed. A
million links, 133 MB, took 8.8 s on two cores (\`npm run bench -- move\`, 2026-11-22).`,
    `Afterwards the file is marked as moved: no service starts on it, and it can be neither backed up nor replaced by a
restore. To go back to it all the same, and lose all later changes, remove the mark:`,
    fenced("sh", `sqlite3 data/beckon.db "DELETE FROM meta WHERE name = 'moved_to'"`),
    `If the machine stops between the commit and the mark, the target has all data and the file has no mark. Moving again then
says that the target is not empty. The target is complete, since the commit is all or nothing: check it with
\`${installed("audit")}\`, start the service on it, and archive the file. If the target contains something else, create another
empty database.`,
  ];
}

function postgresBackups(): string[] {
  return [
    "## Backing up PostgreSQL",
    "A dump is a consistent snapshot, and enough for a small service:",
    fenced(
      "sh",
      `pg_dump --format=custom --file=beckon.dump "$DATABASE_URL"
createdb -T template0 -E UTF8 beckon_again && pg_restore --dbname=beckon_again --exit-on-error beckon.dump`,
    ),
    `If losing the hours since the last dump would lose money, archive the write-ahead log, from which any moment can be
restored. Set this in \`postgresql.conf\`, then restart the server:`,
    fenced(
      "ini",
      `archive_mode = on
archive_command = 'test ! -f /archive/%f && cp %p /archive/%f.part && sync /archive/%f.part && mv /archive/%f.part /archive/%f'
archive_timeout = 60`,
    ),
    `\`/archive\` is a folder on another machine or disk, owned by the user that runs PostgreSQL. If the machine is lost, at
most the last \`archive_timeout\` seconds are lost with it. Monitor the archive: \`SELECT * FROM pg_stat_archiver\` shows the
last failure, and a log that cannot be archived fills the disk. Once a week, and before every upgrade, make a base backup:`,
    fenced(
      "sh",
      "pg_basebackup --pgdata=/backups/monday --format=tar --gzip --wal-method=stream --checkpoint=fast --username=postgres",
    ),
    "To restore a moment, stop every node and the server, and run as the user of the server:",
    fenced(
      "sh",
      `mv $PGDATA $PGDATA.broken && mkdir -m 700 $PGDATA
tar -xzf /backups/monday/base.tar.gz -C $PGDATA
tar -xzf /backups/monday/pg_wal.tar.gz -C $PGDATA/pg_wal
cp -n $PGDATA.broken/pg_wal/0* $PGDATA/pg_wal/     # copies what was not archived yet, if it still exists
cat >> $PGDATA/postgresql.conf <<'END'
restore_command = 'cp /archive/%f %p'
recovery_target_time = '2026-11-22 03:54:25+00'
recovery_target_action = 'promote'
END
touch $PGDATA/recovery.signal
pg_ctl -D $PGDATA -w start
psql -c 'SELECT pg_is_in_recovery()'               # prints f when done; then remove the three lines`,
    ),
    `Then run \`${installed("audit")}\`, and start the nodes. These steps were tried with PostgreSQL 15. Hosted PostgreSQL does the same
automatically; pgBackRest and WAL-G add encryption, compression and object stores.`,
  ];
}

/** The maximum time that a node needs to stop after DRAIN_SECONDS, in seconds: to end requests and steps, and to write what remains. */
export const STOP_SECONDS = 25;

function deployment(): string[] {
  return [
    "## Deploying",
    `You need Node.js ${OLDEST_NODE} or newer (that of Debian 12 is older), and PostgreSQL 15 or newer if you use it. The tests run on
PostgreSQL 18; the archiving above was tried with 15. The folder \`deploy/\` of the sources contains:`,
    table(
      ["file", "what it is"],
      [
        ["`nginx.conf`", "nginx in front of two nodes; tested with Debian's nginx 1.22"],
        ["`beckon.service`", "a systemd unit for a node, with minimal rights; checked by `systemd-analyze verify`"],
        [
          "`Containerfile`",
          "an image that does not run as root; the tests build it with Podman on a base of Debian's, and run it",
        ],
        ["`compose.yaml`", "one container with SQLite; the tests do not run it"],
        ["`compose.postgres.yaml`", "PostgreSQL, two nodes and nginx; the tests do not run it"],
      ],
    ),
    "### Behind a reverse proxy",
    `Set \`TRUST_PROXY\` to the number of proxies in front of the nodes. Each of them must add the address of its client to
\`X-Forwarded-For\`: limits are counted by that address, and values that the client itself sent are ignored. Only the proxy
may be able to reach the nodes. \`SITE_URL\` is the public https address, which links and tokens contain. A proxy must
accept bodies of up to 84 MB, must not buffer answers (MCP and A2A use event streams), and must wait up to 3 minutes for
an answer.`,
    `With \`nginx.conf\`, nginx does not ask \`/readyz\`. If a node does not accept a connection, nginx sends the request to the
other one, and tries the node again after five seconds. A node whose database is unavailable answers 503 itself, as the
other one would. nginx resolves the names of nodes when it starts: reload it after the address of a node has changed.`,
    "### Several nodes",
    `Any number of equal processes can work on one PostgreSQL database; there is no leader. PostgreSQL's \`max_connections\` has
to allow \`DATABASE_POOL\` and 2 more for each process. Nodes with \`ROLE=work\` listen on \`PORT\` too, for health checks and
metrics, so several nodes on one machine need different ports.`,
    `A load balancer that asks \`/readyz\` (HAProxy, those of cloud providers, Kubernetes) needs some seconds to notice that a
node is stopping. Set \`DRAIN_SECONDS\` to a longer time, during which the node still answers. Whatever stops nodes has to
give them \`DRAIN_SECONDS\` and ${STOP_SECONDS} seconds before it kills them.`,
    "### The package",
    fenced(
      "sh",
      `npm ci --ignore-scripts && npm run pack     # in a checkout
npm install --global --ignore-scripts ./dist/${SERVER_PACKAGE}-${version}.tgz
${installed("serve")}`,
    ),
    `The package is built, and brings the few packages that it loads with their binaries: its installation needs no compiler and
no checkout, so \`dist/${SERVER_PACKAGE}-${version}.tgz\` can be carried to other machines.`,
    "### systemd",
    fenced(
      "sh",
      `npm install --global --ignore-scripts --prefix /usr/local ./dist/${SERVER_PACKAGE}-${version}.tgz
cp deploy/beckon.service /etc/systemd/system/
install -m 600 /dev/null /etc/beckon.env             # then write SITE_URL=… and DATABASE_URL=… to it, one per line
systemctl enable --now beckon`,
    ),
    `SIGTERM stops the node after the running requests are answered. The unit waits ${STOP_SECONDS} seconds for that; if you set \`DRAIN_SECONDS\`, add it to \`TimeoutStopSec\`. With SQLite the database is
\`/var/lib/beckon/beckon.db\`.`,
    "### A container",
    fenced(
      "sh",
      `docker build -f deploy/Containerfile -t beckon .     # in a checkout
docker run -d --name beckon -p 127.0.0.1:3000:3000 -v beckon:/data beckon
docker logs beckon                                   # prints a line that creates the first account
${commandAt({ ...CONTAINER, name: "beckon" }, "doctor")}`,
    ),
    `One volume holds everything: the SQLite database, and in a sandbox the key of its secrets. Settings are given with \`-e\`, or
with \`--env-file beckon.env\`, a file with one \`NAME=value\` per line, without quotes; a service that others reach needs
\`SITE_URL\` at least. \`docker stop --time ${STOP_SECONDS}\` leaves it the time to end. The image checks \`/healthz\` by itself, without a
shell; \`podman build\` needs \`--format docker\` for that. \`docker compose -f deploy/compose.yaml up --build -d\` does the same as these lines, with settings from
\`deploy/beckon.env\`. A backup goes to the volume, as \`--to /data/backup.db\`, and \`docker cp\` brings it out.`,
    `\`--build-arg BUILD_IMAGE=…\` and \`--build-arg RUN_IMAGE=…\` name other images with Node.js ${OLDEST_NODE} or newer, npm and a user
\`node\`, such as those of your own registry.`,
    "### Containers on PostgreSQL",
    fenced(
      "sh",
      `install -m 600 /dev/null deploy/.env                 # then write SITE_URL=… and POSTGRES_PASSWORD=… to it, one per line
install -m 600 /dev/null deploy/beckon.env           # then write all other settings to it
docker compose -f deploy/compose.postgres.yaml up --build -d
docker compose -f deploy/compose.postgres.yaml exec beckon-1 ${installed("doctor")}`,
    ),
    `\`deploy/tls/\` has to contain \`fullchain.pem\` and \`privkey.pem\`. Run every operator command like the last line. The
settings \`DATABASE_URL\`, \`HOST\`, \`PORT\`, \`TRUST_PROXY\` and \`NODE_NAME\` are in the file. To install a new version,
replace one node after the other, and reload nginx so that it finds their new addresses:`,
    fenced(
      "sh",
      `cd deploy && export COMPOSE_FILE=compose.postgres.yaml
docker compose build
for node in beckon-1 beckon-2; do
  docker compose up -d --no-deps --wait $node && docker compose exec nginx nginx -s reload
done`,
    ),
  ];
}
