import { eq, gt, sql } from "drizzle-orm";
import { shownAddress } from "../../../db/open.ts";
import { iso, MINUTE, SECOND } from "../../platform/clock.ts";
import { type Instance, measureClockSkew, readMode } from "../instance.ts";
import type { Check } from "./check.ts";

export async function checkWritable({ db, config }: Instance): Promise<Check> {
  const { meta } = db.t;
  await db.tx(async (tx) => {
    const row = { name: "doctor", value: String(Date.now()) };
    await tx.q
      .insert(meta)
      .values(row)
      .onConflictDoUpdate({ target: meta.name, set: { value: row.value } });
    await tx.q.delete(meta).where(eq(meta.name, "doctor"));
  });
  return { name: "Database", ok: true, found: `${shownAddress(config.databaseUrl)} opens and can be written to` };
}

export async function checkMode({ db, config }: Instance): Promise<Check> {
  const mode = await readMode(db);
  return { name: "Mode", ok: mode === config.mode, found: `the database is stamped ${mode}` };
}

export async function checkClock({ clock }: Instance): Promise<Check> {
  const { scale, realAt } = clock.anchor;
  const found = `service time ${iso(clock.service())}, ${scale} service seconds per second since ${iso(realAt)}`;
  const isAhead = realAt > clock.now();
  return {
    name: "Clock",
    ok: !isAhead,
    found: isAhead
      ? `the machine's clock is behind ${iso(realAt)}, when service time was fixed: it stands still`
      : found,
    remedy: "Set the clock of this machine right.",
  };
}

/** Which program keeps the data, and how many may come to it at once. */
export async function checkServer({ db, config }: Instance): Promise<Check> {
  const name = "Server";
  const { meta } = db.t;
  const asked = async (what: ReturnType<typeof sql<string>>) => {
    const [row] = await db.q.select({ said: what }).from(meta).limit(1);
    return row!.said;
  };
  if (db.dialect === "sqlite") return { name, ok: true, found: `SQLite ${await asked(sql<string>`sqlite_version()`)}` };
  const version = await asked(sql<string>`current_setting('server_version')`);
  const most = Number(await asked(sql<string>`current_setting('max_connections')`));
  const each = config.databasePool + 2;
  return {
    name,
    ok: each <= most,
    found: `PostgreSQL ${version}; up to ${each} connections a process (DATABASE_POOL and 2), of ${most} that it takes from all`,
    remedy: "Lower DATABASE_POOL, or raise max_connections: it has to hold the connections of all processes.",
  };
}

/** Nodes go by the database's clock, so that this is no trouble for them; for whoever reads the logs side by side it is. */
const SKEWED_MS = 5 * SECOND;

export async function checkSkew({ db }: Instance): Promise<Check> {
  const skew = await measureClockSkew(db);
  const side = skew > 0 ? "behind" : "ahead of";
  const found =
    skew === 0 ? "this machine's is the database's" : `this machine's is ${Math.abs(skew)} ms ${side} the database's`;
  const remedy = "Set the clock of this machine right (NTP). Work and limits go by the database's clock meanwhile.";
  return { name: "Time", ok: Math.abs(skew) < SKEWED_MS, found, remedy };
}

/** How long a node is counted among those at work after its last round. */
const SEEN_MS = 10 * MINUTE;

/** Who has won a round lately; a node that answers callers only, or never won, is not among them. */
export async function checkNodes({ db }: Instance): Promise<Check> {
  const { ticks } = db.t;
  const since = (await db.now()) - SEEN_MS;
  const rows = await db.q.selectDistinct({ node: ticks.node }).from(ticks).where(gt(ticks.at, since));
  const nodes = rows.map(({ node }) => node).sort();
  const found =
    nodes.length === 0
      ? "none has done a round in the last 10 minutes"
      : `did the rounds of the last 10 minutes: ${nodes.join(", ")}`;
  return { name: "Nodes", ok: true, found };
}
