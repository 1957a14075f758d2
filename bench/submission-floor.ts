import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Database from "better-sqlite3";
import { sqlitePath } from "../db/open.ts";
import { meterSubmissions } from "./submission-meter.ts";

/**
 * The least that a service has to do which stores a row for each URL: node:http receives the body, JSON.parse and a Set make
 * the list, better-sqlite3 inserts it by one statement into the same table, and one durable commit keeps it. No account, no
 * credits, no steps, and the URLs are not checked.
 */
const db = new Database(sqlitePath(process.argv[2]!));
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.pragma("wal_autocheckpoint = 20000");
db.exec(`CREATE TABLE links (id INTEGER PRIMARY KEY NOT NULL, bucket INTEGER NOT NULL, url TEXT NOT NULL,
  state INTEGER NOT NULL, error TEXT, sent_at INTEGER, indexed_at INTEGER, cancelled_at INTEGER, warnings TEXT)`);
const insert = db.prepare(
  "INSERT INTO links (id, bucket, url, state) SELECT ? * 16384 + key, 0, value, 0 FROM json_each(?)",
);
let projects = 0;

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const { urls } = JSON.parse(Buffer.concat(chunks).toString("latin1")) as { urls: string[] };
    const distinct = [...new Set(urls)].filter((url) => url.startsWith("https://"));
    projects += 1;
    insert.run(projects, JSON.stringify(distinct));
    res.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ urls: distinct.length }));
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
// Moved into the file in between, as the service does on another thread.
setInterval(() => db.pragma("wal_checkpoint(PASSIVE)"), 1_000);
meterSubmissions({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: "" });
