import { eq, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../db/engine.ts";
import { MOVED_TO_KEY, movedMessage } from "../../db/moving/moved-to.ts";
import { type DatabaseOptions, openDatabase, openMigrated } from "../../db/open.ts";
import { AnchoredClock, type ClockAnchor, serviceTime } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";

/** The name under which the database keeps the clock's anchor. */
const CLOCK = "clock";

/** An open database of the right mode, with its settings and its service clock. */
export interface Instance {
  readonly config: Config;
  readonly db: Engine;
  readonly clock: AnchoredClock;
}

/**
 * Opens the database that the settings name, and restores its service clock (docs/rules.md rule 12). A new database
 * is stamped with the mode. A database of the other mode is refused (docs/rules.md rule 17).
 * @param options `migrates`: whether a database that is missing or has an older schema is migrated, instead of refused;
 * `setsClock`: whether TIME_SCALE is obeyed, as by a service. Anything else has the clock as a service has set it
 * @throws Error saying which setting does not fit
 */
export async function openInstance(
  config: Config,
  {
    migrates = false,
    setsClock = false,
    ...options
  }: DatabaseOptions & { migrates?: boolean; setsClock?: boolean } = {},
): Promise<Instance> {
  const open = migrates ? openDatabase : openMigrated;
  const db = await open(config.databaseUrl, { pool: config.databasePool, ...options });
  try {
    const skew = await measureClockSkew(db);
    const anchor = await db.tx(async (tx) => {
      await refuseMoved(tx);
      await stampMode(tx, config.mode);
      return restoreAnchor(tx, setsClock ? config.timeScale : undefined, Date.now() + skew);
    });
    const clock = new AnchoredClock(anchor);
    clock.skew = skew;
    return { config, db, clock };
  } catch (thrown) {
    await db.close();
    throw thrown;
  }
}

/** Refuses a database whose content `beckon move` has moved to another one. */
async function refuseMoved(tx: Tx): Promise<void> {
  const to = await readMeta(tx, MOVED_TO_KEY);
  if (to !== null) throw new Error(movedMessage("This database", to));
}

async function stampMode(tx: Tx, mode: Config["mode"]): Promise<void> {
  const stamped = await readMode(tx);
  if (stamped === null) await writeMeta(tx, "mode", mode);
  else if (stamped !== mode) {
    throw new Error(
      `This database is of a ${stamped} service and the settings are for ${mode}; the two never mix. Set DATABASE_URL to another database.`,
    );
  }
}

/** The stored anchor. A new scale replaces it by an anchor that begins at the current service time. */
async function restoreAnchor(tx: Tx, scale: number | undefined, now: number): Promise<ClockAnchor> {
  const stored = await readAnchor(tx);
  if (stored && (scale === undefined || scale === stored.scale)) return stored;
  const anchor = { realAt: now, serviceAt: stored ? serviceTime(stored, now) : now, scale: scale ?? 1 };
  await writeMeta(tx, CLOCK, JSON.stringify(anchor));
  return anchor;
}

/**
 * Moves the service clock of a sandbox forward. Service time never goes back, so an earlier time changes nothing.
 * Other processes notice within seconds.
 * @throws Error in a live service
 */
export async function advanceClock({ config, db, clock }: Instance, serviceAt: number): Promise<void> {
  if (config.mode !== "sandbox") throw new Error("only the clock of a sandbox can be moved");
  clock.anchor = await db.tx(async (tx) => {
    const now = clock.now();
    const stored = (await readAnchor(tx)) ?? clock.anchor;
    const anchor = { ...stored, realAt: now, serviceAt: Math.max(serviceAt, serviceTime(stored, now)) };
    await writeMeta(tx, CLOCK, JSON.stringify(anchor));
    return anchor;
  });
}

/** Makes a write that changes nothing. @throws DatabaseUnavailable as long as nothing can be written */
export async function tryToWrite(db: Engine): Promise<void> {
  const { meta } = db.t;
  await db.tx((tx) =>
    tx.q
      .update(meta)
      .set({ value: sql`${meta.value}` })
      .where(eq(meta.name, "mode")),
  );
}

/** How far the database's clock is ahead of this machine's, in ms. 0 if the difference is within the round trip. */
export async function measureClockSkew(db: Engine): Promise<number> {
  const before = Date.now();
  const remote = await db.now();
  const after = Date.now();
  return remote - Math.min(after, Math.max(before, remote));
}

/** The mode that the database is stamped with. Null before it was first opened. */
export async function readMode(db: Reader): Promise<string | null> {
  return readMeta(db, "mode");
}

export async function readAnchor(db: Reader): Promise<ClockAnchor | null> {
  const text = await readMeta(db, CLOCK);
  return text === null ? null : (JSON.parse(text) as ClockAnchor);
}

async function readMeta(db: Reader, name: string): Promise<string | null> {
  const { meta } = db.t;
  const [row] = await db.q.select({ value: meta.value }).from(meta).where(eq(meta.name, name));
  return row?.value ?? null;
}

async function writeMeta(tx: Tx, name: string, value: string): Promise<void> {
  const { meta } = tx.t;
  await tx.q.insert(meta).values({ name, value }).onConflictDoUpdate({ target: meta.name, set: { value } });
}
