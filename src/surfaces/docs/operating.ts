import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";

export function operatingDocument(): Document {
  return {
    path: "/docs/operating",
    title: "Operating",
    summary: "Keep, move and deploy a service of your own: backups, PostgreSQL, reverse proxy, systemd, containers.",
    section: "Guides",
    markdown: page("# Operating", ...keepingSqlite(), ...movingOver(), ...keepingPostgres(), ...deploying()),
  };
}

function keepingSqlite(): string[] {
  return [
    "## Keeping a SQLite database",
    fenced("sh", "npm run -s beckon -- backup --to /backups/beckon-$(date +%F).db"),
    `The service goes on meanwhile. The file is one moment of the database, checked by SQLite and by the audit; exit code 1
says that it failed, or that the books in it do not add up. It holds hashes of passwords and the keys that sign: it is
readable for its owner alone, and belongs on another machine. Never copy the database file itself while a service runs:
what is newest stands in the log beside it.`,
    fenced("sh", "npm run -s beckon -- restore --from /backups/beckon-2026-11-22.db --force"),
    `Stop the service first; a database that somebody has open is not replaced. The backup is checked before anything
changes, and is brought to the newest schema in place. Without \`--force\` only an empty database is replaced; with it,
what was there is kept beside it under a name with the time. A file that was moved to PostgreSQL is not replaced: what has
been done since is there. What was submitted, paid or given back since the backup is
not in it: compare with your card processor before you open again.`,
  ];
}

function movingOver(): string[] {
  return [
    "## Moving to PostgreSQL",
    `PostgreSQL 15 or newer, for more than one machine. Make an empty database, stop the service, and move:`,
    fenced(
      "sh",
      `createdb -E UTF8 -T template0 --locale=C beckon
export DATABASE_URL='postgres://beckon:PASSWORD@db.example.com/beckon?sslmode=verify-full'
npm run -s beckon -- move --from file:./data/beckon.db`,
    ),
    `The database must keep text as UTF-8. \`sslmode=verify-full\` encrypts what is said to a server elsewhere and proves that
it is that server; \`sslrootcert=FILE\` names the certificate of a signer of your own. \`require\`, \`verify-ca\` and
\`prefer\` mean the same here; \`no-verify\` encrypts and proves nothing.`,
    `All tables go over in one transaction: read in order, written, read back, compared by count and SHA-256, and audited.
If anything is wrong, the target stays empty and the source as it was; where the books of the source do not add up
already, \`--force\` moves them all the same. A target that was only opened before counts as empty. A service that still
runs on either is found, and none can start on the file meanwhile. Text with a NUL character, which PostgreSQL does not
take, is named with its table, column and key; nothing is left out or changed on the way. A million links, 133 MB, took
8.8 s on two cores (\`npm run bench -- move\`, 2026-11-22).`,
    `Afterwards the file is marked: no service starts on it any more, and it is neither backed up nor restored over. To go
back to it all the same, giving up what was done since, take the mark away:`,
    fenced("sh", `sqlite3 data/beckon.db "DELETE FROM meta WHERE name = 'moved_to'"`),
    `A machine that stops in the one moment between the commit and the mark leaves a full target and a file without the
mark. Moving again then says that the target is not empty. It is complete: the commit is all or nothing. See that
\`beckon audit\` is content with it, start the service on it, and put the file away. Where the target holds something
else, make another empty database.`,
  ];
}

function keepingPostgres(): string[] {
  return [
    "## Keeping a PostgreSQL database",
    "A dump is one moment, and enough for a small service:",
    fenced(
      "sh",
      `pg_dump --format=custom --file=beckon.dump "$DATABASE_URL"
createdb -T template0 -E UTF8 beckon_again && pg_restore --dbname=beckon_again --exit-on-error beckon.dump`,
    ),
    `Where losing the hours since the last dump would lose money, archive the log, which can bring back any moment. In
\`postgresql.conf\`, then restart the server:`,
    fenced(
      "ini",
      `archive_mode = on
archive_command = 'test ! -f /archive/%f && cp %p /archive/%f.part && sync /archive/%f.part && mv /archive/%f.part /archive/%f'
archive_timeout = 60`,
    ),
    `\`/archive\` is a folder on another machine or disk, owned by the server's user: at most \`archive_timeout\` seconds are
lost with the machine. Look at it: \`SELECT * FROM pg_stat_archiver\` shows the last failure, and a log that cannot be
archived fills the disk. Once a week, and before every upgrade, a base to start from:`,
    fenced(
      "sh",
      "pg_basebackup --pgdata=/backups/monday --format=tar --gzip --wal-method=stream --checkpoint=fast --username=postgres",
    ),
    "To bring back a moment, stop every node and the server, and as the server's user:",
    fenced(
      "sh",
      `mv $PGDATA $PGDATA.broken && mkdir -m 700 $PGDATA
tar -xzf /backups/monday/base.tar.gz -C $PGDATA
tar -xzf /backups/monday/pg_wal.tar.gz -C $PGDATA/pg_wal
cp -n $PGDATA.broken/pg_wal/0* $PGDATA/pg_wal/     # what was not archived yet, if it is there
cat >> $PGDATA/postgresql.conf <<'END'
restore_command = 'cp /archive/%f %p'
recovery_target_time = '2026-11-22 03:54:25+00'
recovery_target_action = 'promote'
END
touch $PGDATA/recovery.signal
pg_ctl -D $PGDATA -w start
psql -c 'SELECT pg_is_in_recovery()'               # f: it is done; take the three lines out again`,
    ),
    `Then \`beckon audit\`, and start the nodes. These steps were carried out with PostgreSQL 15. Hosted PostgreSQL does
the same by itself; pgBackRest and WAL-G do it with encryption, compression and object stores.`,
  ];
}

/** What a node takes at most to end, beside DRAIN_SECONDS: calls in hand, steps in hand, and what it writes then. */
export const STOP_SECONDS = 25;

function deploying(): string[] {
  return [
    "## Deploying",
    `Node.js 20.19 or newer: Debian 12's own is older. PostgreSQL 15 or newer: the tests run on 18, and the archiving above
was carried out on 15. The folder \`deploy/\` of the sources has what is needed:`,
    table(
      ["file", "what it is"],
      [
        ["`nginx.conf`", "nginx in front of two nodes; tested with Debian's nginx 1.22"],
        [
          "`beckon.service`",
          "a node under systemd, without rights it does not need; checked by `systemd-analyze verify`",
        ],
        [
          "`Containerfile`",
          "an image that does not run as root; the tests do not build it, but build from what it is given",
        ],
        ["`compose.yaml`", "PostgreSQL, two nodes and nginx; not run by the tests"],
      ],
    ),
    "### Behind a reverse proxy",
    `Set \`TRUST_PROXY\` to the number of proxies in front, each of which adds the address it was called from to
\`X-Forwarded-For\`: limits go by that address, and what a client writes there itself is passed over. Let nobody reach the
nodes but the proxy. \`SITE_URL\` is the public https address; links and tokens name it. A proxy must pass bodies of up to
84 MB, must not hold back answers (event streams of MCP and A2A), and must wait 3 minutes for one.`,
    `The nginx of \`nginx.conf\` does not ask \`/readyz\`. It leaves a node out when that does not accept a connection, and
sends the call to the other one; after five seconds it tries again. A node whose database is away answers 503 itself,
and so would the other. nginx looks the names of nodes up when it starts: after a node has got another address, reload it.`,
    "### Several nodes",
    `Any number of processes on one PostgreSQL database are equal; there is no leader. PostgreSQL's \`max_connections\` has to
hold \`DATABASE_POOL\` and 2 more for each process. Nodes with \`ROLE=work\` listen on \`PORT\` too, for health and metrics:
on one machine each needs its own.`,
    `A proxy that asks \`/readyz\` (HAProxy, those of clouds, Kubernetes) needs some seconds to see that a node ends: set
\`DRAIN_SECONDS\` to more than that, and the node answers as long. Whatever stops nodes has to give them \`DRAIN_SECONDS\`
and ${STOP_SECONDS} seconds before it kills them.`,
    "### systemd",
    fenced(
      "sh",
      `npm install --no-save --include=dev && npm run build && npm prune --omit=dev     # in /opt/beckon
cp deploy/beckon.service /etc/systemd/system/
install -m 600 /dev/null /etc/beckon.env             # SITE_URL=…, DATABASE_URL=…, one a line
systemctl enable --now beckon`,
    ),
    `\`npm install --no-save\` takes the versions of the lock, too; \`npm ci\` refuses a lock without the optional packages of
every platform. SIGTERM ends the node once the calls in hand are answered; the unit waits ${STOP_SECONDS} seconds, so add
\`DRAIN_SECONDS\` to its \`TimeoutStopSec\` if you set them. With SQLite the database is \`/var/lib/beckon/beckon.db\`.`,
    "### Containers",
    fenced(
      "sh",
      `install -m 600 /dev/null deploy/.env                 # SITE_URL=…, POSTGRES_PASSWORD=…, one a line
install -m 600 /dev/null deploy/beckon.env           # all other settings likewise
docker compose -f deploy/compose.yaml up --build -d
docker compose -f deploy/compose.yaml exec beckon-1 node dist/src/main.js doctor`,
    ),
    `\`deploy/tls/\` has to hold \`fullchain.pem\` and \`privkey.pem\`. Every command of the operator runs as the last line
does. Settings that the containers stand on (\`DATABASE_URL\`, \`HOST\`, \`PORT\`, \`TRUST_PROXY\`, \`NODE_NAME\`) are those of
\`compose.yaml\`. For a new version, one node after the other, and the proxy's addresses anew:`,
    fenced(
      "sh",
      `cd deploy
docker compose build
for node in beckon-1 beckon-2; do
  docker compose up -d --no-deps --wait $node && docker compose exec nginx nginx -s reload
done`,
    ),
  ];
}
