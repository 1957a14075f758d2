import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { isPostgres } from "../../../db/open.ts";
import { DAY, HOUR } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { formatCount } from "../../platform/format.ts";
import type { Check } from "./check.ts";

/** The free space of the disk under the database at one time, in bytes. */
export interface DiskSample {
  readonly at: number;
  readonly free: number;
}

interface Space {
  readonly free: number;
  readonly total: number;
}

const MB = 1024 * 1024;
const NAME = "disk";

/** The samples that are kept: one in six hours, for two weeks. */
const KEPT = 14 * DAY;
const SPACED = 6 * HOUR;

/** Less is an error: a backup, a migration or a busy hour needs as much. */
const LEAST = 256 * MB;
/** A disk that will be full sooner is reported. */
const SOON = 14 * DAY;

/** Records the free space, for the trend that `doctor` tells. Runs with the housekeeping of a SQLite service. */
export async function recordDisk(db: Engine, databaseUrl: string, now: number): Promise<void> {
  if (isPostgres(databaseUrl)) return;
  const { free } = await spaceOf(databaseUrl);
  const { meta } = db.t;
  await db.tx(async (tx) => {
    const samples = (await samplesIn(tx)).filter(({ at }) => at > now - KEPT && at <= now);
    if ((samples.at(-1)?.at ?? 0) > now - SPACED) return;
    const value = JSON.stringify([...samples, { at: now, free }]);
    const row = { name: NAME, value };
    await tx.q.insert(meta).values(row).onConflictDoUpdate({ target: meta.name, set: { value } });
  });
}

/** The disk under the SQLite file: how much is free, and when it will be full if it goes on as in the last two weeks. */
export async function checkDisk({ config, db }: { config: Config; db: Engine }): Promise<Check> {
  if (isPostgres(config.databaseUrl))
    return { name: "Disk", ok: true, found: "the database is PostgreSQL's; look at the disk of its server" };
  return diskCheck(await spaceOf(config.databaseUrl), await samplesIn(db), Date.now());
}

/** What the figures come to. */
export function diskCheck({ free, total }: Space, samples: readonly DiskSample[], now: number): Check {
  const name = "Disk";
  const found = `${size(free)} of ${size(total)} are free`;
  const remedy =
    "Make room on the disk of DATABASE_URL, or move the file to a larger one while the service is stopped.";
  if (free < LEAST) return { name, ok: false, found, remedy };
  const fullIn = timeLeft([...samples, { at: now, free }], now);
  if (fullIn !== null && fullIn < SOON) {
    const days = formatCount(Math.max(1, Math.round(fullIn / DAY)), "day");
    return { name, ok: false, severity: "warning", found: `${found}; at this rate it is full in ${days}`, remedy };
  }
  const trend = fullIn === null ? "" : fullIn > 365 * DAY ? "; it is not filling" : "; it fills slowly";
  return { name, ok: true, found: `${found}${trend}` };
}

/**
 * How long until nothing is free, by the line through the samples that fits best; null where they span less than a day. A file
 * that came and went in between moves the line little.
 */
function timeLeft(samples: readonly DiskSample[], now: number): number | null {
  const recent = samples.filter(({ at }) => at > now - KEPT && at <= now);
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last || last.at - first.at < DAY) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, free] = [mean(recent.map((one) => one.at)), mean(recent.map((one) => one.free))];
  const [across, along] = recent.reduce(
    ([sum, squares], one) => [sum + (one.at - at) * (one.free - free), squares + (one.at - at) ** 2],
    [0, 0],
  ) as [number, number];
  const slope = across / along;
  return slope >= 0 ? Number.POSITIVE_INFINITY : last.free / -slope;
}

async function samplesIn(db: Pick<Engine, "q" | "t">): Promise<readonly DiskSample[]> {
  const { meta } = db.t;
  const [row] = await db.q.select({ value: meta.value }).from(meta).where(eq(meta.name, NAME));
  return row ? (JSON.parse(row.value) as DiskSample[]) : [];
}

async function spaceOf(databaseUrl: string): Promise<Space> {
  let folder = dirname(resolve(databaseUrl.slice("file:".length)));
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

function size(bytes: number): string {
  const gigabytes = bytes / MB / 1024;
  return gigabytes >= 10 ? `${Math.round(gigabytes)} GB` : `${Math.round(bytes / MB)} MB`;
}
