import { eq, gt, max, sql } from "drizzle-orm";
import { shownAddress } from "../../../db/open.ts";
import { iso, MINUTE, SECOND } from "../../platform/clock.ts";
import { version } from "../../platform/version.ts";
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

/** The program and the schema that run here; the nodes say their own versions in checkNodes. */
export async function checkVersion({ db }: Instance): Promise<Check> {
  const { number, version: by } = await db.schema();
  return { name: "Version", ok: true, found: `Beckon ${version}; the database has schema ${number}, made by ${by}` };
}

export async function checkMode({ db, config }: Instance): Promise<Check> {
  const mode = await readMode(db);
  return { name: "Mode", ok: mode === config.mode, found: `the database is stamped ${mode}` };
}

/** Whether the clock has gone back, behind what was written by it before. */
export async function checkClock({ db, clock }: Instance): Promise<Check> {
  const name = "Clock";
  const { ticks } = db.t;
  const { scale, realAt } = clock.anchor;
  const remedy = "Set the clock of this machine right, and let NTP keep it.";
  if (realAt > clock.now()) {
    const found = `the machine's clock is behind ${iso(realAt)}, when service time was last set: service time stands still`;
    return { name, ok: false, found, remedy };
  }
  const [newest] = await db.q.select({ at: max(ticks.at) }).from(ticks);
  const jobAt = Number(newest?.at ?? 0);
  if (jobAt > clock.now() + MINUTE) {
    const found = `the last recurring job was at ${iso(jobAt)}, which is still to come: the clock has gone back, and no job runs until then`;
    return { name, ok: false, found, remedy };
  }
  const found = `service time ${iso(clock.service())}, ${scale} service seconds per second since ${iso(realAt)}`;
  return { name, ok: true, found };
}

/** The database program with its version, and whether it has enough connections for a process. */
export async function checkServer({ db, config }: Instance): Promise<Check> {
  const name = "Server";
  const { meta } = db.t;
  const select = async (expression: ReturnType<typeof sql<string>>) => {
    const [row] = await db.q.select({ value: expression }).from(meta).limit(1);
    return row!.value;
  };
  if (db.dialect === "sqlite")
    return { name, ok: true, found: `SQLite ${await select(sql<string>`sqlite_version()`)}` };
  const version = await select(sql<string>`current_setting('server_version')`);
  const limit = Number(await select(sql<string>`current_setting('max_connections')`));
  const each = config.databasePool + 2;
  return {
    name,
    ok: each <= limit,
    found: `PostgreSQL ${version}; up to ${each} connections for each process (DATABASE_POOL + 2), of max_connections ${limit}`,
    remedy: "Lower DATABASE_POOL, or raise max_connections: it must be enough for all processes together.",
  };
}

/**
 * A larger difference between the clocks is reported. Nodes use the database's clock and are not affected, but logs
 * of several machines become hard to compare.
 */
const SKEWED_MS = 5 * SECOND;

export async function checkSkew({ db }: Instance): Promise<Check> {
  const skew = await measureClockSkew(db);
  const side = skew > 0 ? "behind" : "ahead of";
  const found =
    skew === 0
      ? "the clocks of this machine and of the database agree"
      : `the clock of this machine is ${Math.abs(skew)} ms ${side} the database's`;
  const remedy = "Set the clock of this machine right (NTP). Work and limits go by the database's clock meanwhile.";
  return { name: "Time", ok: Math.abs(skew) < SKEWED_MS, found, remedy };
}

/** For how long after its last recurring job a node counts as working. */
const ACTIVE_MS = 10 * MINUTE;

/**
 * The nodes that claimed a recurring job lately. A node that only answers callers, or has claimed none, is missing.
 */
export async function checkNodes({ db }: Instance): Promise<Check> {
  const { ticks } = db.t;
  const since = (await db.now()) - ACTIVE_MS;
  const rows = await db.q
    .selectDistinct({ node: ticks.node, version: ticks.version })
    .from(ticks)
    .where(gt(ticks.at, since));
  const nodes = rows.map(({ node, version }) => `${node} (${version})`).sort();
  const found =
    nodes.length === 0
      ? "no recurring job in the last 10 minutes"
      : `recurring jobs of the last 10 minutes by ${nodes.join(", ")}`;
  return { name: "Nodes", ok: true, found };
}
