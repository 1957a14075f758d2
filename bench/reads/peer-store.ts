import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { DAY, SECOND } from "../../src/platform/clock.ts";
import { POSITION, type ReadName, type Samples } from "./samples.ts";

type Json = Record<string, unknown>;

/** Reads of an engineer who uses better-sqlite3 well: every statement prepared once, one row or one page each. */
export interface PeerStore {
  readonly samples: Samples;
  /**
   * Looks a key up by its SHA-256, and counts the call.
   * @returns the account that it may read; null: there is no such key, or it gives no access
   */
  admit(key: string): string | null;
  readonly reads: Readonly<Record<ReadName, (account: string, project: string) => Json>>;
}

/**
 * Fills a file with the same answers for every key, as rows with a column for each value, and opens it.
 * @param samplesFile JSON of `Samples`
 */
export function openPeerStore(samplesFile: string, databaseFile: string): PeerStore {
  const samples: Samples = JSON.parse(readFileSync(samplesFile, "utf8"));
  const db = new Database(databaseFile);
  db.pragma("journal_mode = WAL");
  const access = accessOver(db);
  const count = countsOver(db);
  const { get_account, get_project, list_projects, list_links, get_link, get_pricing } = samples.answers;
  const accounts = table(db, "accounts", get_account);
  const projects = table(db, "projects", get_project);
  const links = table(db, "links", (list_links.links as Json[])[0]!);
  const { own, lists } = partsOf(get_link);
  const wholeLinks = table(db, "whole_links", own);
  const listed = Object.entries(lists).map(([name, rows]) => ({ name, rows, table: table(db, name, rows[0] ?? {}) }));
  db.transaction(() => {
    samples.keys.forEach((secret, at) => {
      access.insert(secret, String(at));
      accounts.insert(String(at), "", 0, get_account);
      (list_projects.projects as Json[]).forEach((one, index) => {
        projects.insert(String(at), `other-${index}`, index + 1, one);
      });
      projects.insert(String(at), samples.projects[at]!, 0, get_project);
      wholeLinks.insert(String(at), samples.projects[at]!, POSITION, own);
      for (const { rows, table } of listed)
        rows.forEach((one, index) => {
          table.insert(String(at), samples.projects[at]!, index, one);
        });
      (list_links.links as Json[]).forEach((one, index) => {
        links.insert(String(at), samples.projects[at]!, index, one);
      });
    });
  })();
  const pageSize = (list_projects.projects as Json[]).length;
  return {
    samples,
    admit(key) {
      const account = access.accountOf(key);
      if (account !== null) count(account, key);
      return account;
    },
    reads: {
      get_account: (account) => accounts.at(account, "", 0),
      get_pricing: () => get_pricing,
      get_project: (account, project) => projects.at(account, project, 0),
      list_projects: (account) => ({ projects: projects.newest(account, pageSize), has_more: true }),
      list_links: (account, project) => ({ links: links.inOrder(account, project, 100), has_more: false }),
      get_link(account, project) {
        const link = wholeLinks.at(account, project, POSITION);
        for (const { name, table } of listed) link[name] = table.inOrder(account, project, MOST_LISTED);
        return link;
      },
    },
  };
}

/** Everything that the next call has to know of a key: who holds it, in which role, whether it or the account has ended. */
interface KeyRow {
  readonly account: string;
  readonly scopes: string;
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
  readonly role: string;
  readonly disabled: string | null;
  readonly leaving_at: number | null;
}

/** Access of keys as the product has it: each call reads the key, its holder's membership, and the state of the account. */
function accessOver(db: Database.Database) {
  db.exec(`CREATE TABLE keys (hash BLOB PRIMARY KEY, account TEXT NOT NULL, person TEXT NOT NULL,
      scopes TEXT NOT NULL, revoked_at INTEGER, expires_at INTEGER) WITHOUT ROWID;
    CREATE TABLE members (account TEXT, person TEXT, role TEXT NOT NULL, PRIMARY KEY (account, person)) WITHOUT ROWID;
    CREATE TABLE states (account TEXT PRIMARY KEY, disabled TEXT) WITHOUT ROWID;
    CREATE TABLE deletions (account TEXT PRIMARY KEY, requested_at INTEGER NOT NULL) WITHOUT ROWID`);
  const [key, member, state] = [
    db.prepare("INSERT INTO keys VALUES (?, ?, ?, ?, NULL, NULL)"),
    db.prepare("INSERT INTO members VALUES (?, ?, ?)"),
    db.prepare("INSERT INTO states VALUES (?, NULL)"),
  ];
  // Without the plus sign SQLite would plan the LEFT JOIN again for each key, which takes longer than everything else.
  const byHash = db.prepare(`SELECT keys.account, scopes, revoked_at, expires_at, role, disabled,
      requested_at AS leaving_at
    FROM keys JOIN members ON members.account = keys.account AND members.person = keys.person
      JOIN states ON states.account = keys.account LEFT JOIN deletions ON deletions.account = keys.account
    WHERE hash = +?`);
  return {
    insert(secret: string, account: string) {
      key.run(hashOf(secret), account, `per_${account}`, "read submit");
      member.run(account, `per_${account}`, "owner");
      state.run(account);
    },
    accountOf(secret: string): string | null {
      const row = byHash.get(hashOf(secret)) as KeyRow | undefined;
      if (!row || row.revoked_at !== null || row.leaving_at !== null) return null;
      if (row.expires_at !== null && row.expires_at <= Date.now()) return null;
      return row.scopes.split(" ").includes("read") ? row.account : null;
    },
  };
}

/** The calls of each account and each key today, as the product has them: counted in memory, and written once a second. */
function countsOver(db: Database.Database): (account: string, key: string) => void {
  db.exec(
    "CREATE TABLE calls (subject TEXT, day INTEGER, calls INTEGER NOT NULL, PRIMARY KEY (subject, day)) WITHOUT ROWID",
  );
  const add = db.prepare("INSERT INTO calls VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls");
  const unwritten = new Map<string, number>();
  const write = db.transaction(() => {
    const day = Math.floor(Date.now() / DAY);
    for (const [subject, calls] of unwritten) add.run(subject, day, calls);
  });
  setInterval(() => {
    if (unwritten.size === 0) return;
    write();
    unwritten.clear();
  }, SECOND).unref();
  const countOne = (subject: string) => unwritten.set(subject, (unwritten.get(subject) ?? 0) + 1);
  return (account, key) => {
    countOne(account);
    countOne(key);
  };
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest();

/** Most rows of each list of a link. */
const MOST_LISTED = 50;

/** A link's own values, and its lists, which have rows of their own: its checks, crawls and visits become more. */
function partsOf({ checks, crawls, visits, ...own }: Json): { own: Json; lists: Record<string, Json[]> } {
  return { own, lists: { checks, crawls, visits } as Record<string, Json[]> };
}

/** A table with a column for each value of a record, lists as JSON. Rows become records by code that is made once. */
function table(db: Database.Database, name: string, sample: Json) {
  const paths: string[][] = [];
  const record = new Function("row", `return ${sourceOf(sample, [], paths)}`) as (row: unknown) => Json;
  const values = paths.map((_, index) => `c${index}`);
  const columns = values.join(", ") || "position";
  db.exec(`CREATE TABLE ${name} (${["owner TEXT", "project TEXT", "position INTEGER", ...values].join(", ")},
    PRIMARY KEY (owner, project, position)) WITHOUT ROWID`);
  const insert = db.prepare(`INSERT INTO ${name} VALUES (?, ?, ?${", ?".repeat(values.length)})`);
  const select = `SELECT ${columns} FROM ${name} WHERE owner = ?`;
  const one = db.prepare(`${select} AND project = ? AND position = ?`);
  const newest = db.prepare(`${select} ORDER BY position DESC LIMIT ?`);
  const inOrder = db.prepare(`${select} AND project = ? ORDER BY position LIMIT ?`);
  return {
    insert(owner: string, project: string, position: number, from: Json) {
      insert.run(
        owner,
        project,
        position,
        paths.map((path) => stored(path.reduce<unknown>((value, key) => (value as Json | null)?.[key], from))),
      );
    },
    at: (owner: string, project: string, position: number) => record(one.get(owner, project, position)),
    newest: (owner: string, limit: number) => newest.all(owner, limit).map(record),
    inOrder: (owner: string, project: string, limit: number) => inOrder.all(owner, project, limit).map(record),
  };
}

/** The text of an expression that makes a record of `row`; the path of each column's value is added to `paths`. */
function sourceOf(value: unknown, path: readonly string[], paths: string[][]): string {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    const fields = Object.entries(value).map(
      ([key, one]) => `${JSON.stringify(key)}: ${sourceOf(one, [...path, key], paths)}`,
    );
    return `{${fields.join(", ")}}`;
  }
  const column = `row.c${paths.push([...path]) - 1}`;
  if (Array.isArray(value)) return `JSON.parse(${column})`;
  return typeof value === "boolean" ? `${column} === 1` : column;
}

function stored(value: unknown): string | number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value !== null && typeof value === "object" ? JSON.stringify(value) : ((value ?? null) as string | null);
}
