import { and, count, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { newId } from "../../platform/ids.ts";
import { creatorOf, type Principal } from "../../platform/principal.ts";
import { SIZES } from "../../platform/sizes.ts";
import { mayChange } from "./maker.ts";
import { countRecheckPages } from "./rechecked-links.ts";
import { settingsOf, type WatchRow } from "./rows.ts";
import { nextRecheckAt, soonestRunAt } from "./schedule.ts";
import { DEFAULT_SETTINGS, type FIRST_RUNS, type WatchSettings, type WatchStatus } from "./settings.ts";

/** @throws Refusal not_found */
export async function findWatch(db: Reader, accountId: string, watchId: string): Promise<WatchRow> {
  const { watches } = db.t;
  const isIt = and(eq(watches.id, watchId), eq(watches.accountId, accountId));
  const [row] = await db.q.select().from(watches).where(isIt);
  if (!row) throw new Refusal("not_found", "There is no watch with this id. list_watches shows those there are.");
  return row;
}

/** @throws Refusal not_found when there is none, or it is another credential's */
export async function findOwnWatch(db: Reader, principal: Principal, watchId: string): Promise<WatchRow> {
  const row = await findWatch(db, principal.accountId, watchId);
  if (mayChange(principal, row)) return row;
  throw anothersWatch();
}

/** A watch spends the budget of its maker, so nobody else changes what it may spend. */
export function anothersWatch(): Refusal {
  const message =
    "This watch was made by another credential. Only that one, or a manager on the dashboard, changes it.";
  return new Refusal("not_found", message);
}

/** A page of an account's watches, newest first, and whether there is more. */
export async function watchesOf(db: Reader, accountId: string, page: { limit: number; offset: number }) {
  const { watches } = db.t;
  const rows = await db.q
    .select()
    .from(watches)
    .where(eq(watches.accountId, accountId))
    .orderBy(desc(watches.no))
    .limit(page.limit + 1)
    .offset(page.offset);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/** The watch of an account for a sitemap; null if none. @param sitemapUrl normalised */
export async function watchAt(db: Reader, accountId: string, sitemapUrl: string): Promise<WatchRow | null> {
  const { watches } = db.t;
  const isIt = and(eq(watches.accountId, accountId), eq(watches.sitemapUrl, sitemapUrl));
  const [row] = await db.q.select().from(watches).where(isIt);
  return row ?? null;
}

/** The id of a watch of an account that submits pages now, and whose sitemap is of one of these hosts; null if none. */
export async function watchThatSubmits(
  db: Reader,
  accountId: string,
  hosts: ReadonlySet<string>,
): Promise<string | null> {
  const { watches } = db.t;
  const submits = or(eq(watches.newPages, "submit"), eq(watches.changedPages, "submit"));
  const rows = await db.q
    .select({ id: watches.id, sitemapUrl: watches.sitemapUrl })
    .from(watches)
    .where(and(eq(watches.accountId, accountId), inArray(watches.status, ["active", "held"]), submits));
  return rows.find(({ sitemapUrl }) => hosts.has(new URL(sitemapUrl).host))?.id ?? null;
}

/** What a call of watch_sitemap asks for; what is undefined stays, or is the default. */
export type WatchChange = { readonly [Name in keyof WatchSettings]?: WatchSettings[Name] | undefined } & {
  readonly firstRun?: (typeof FIRST_RUNS)[number] | undefined;
  readonly status?: Exclude<WatchStatus, "held"> | undefined;
};

/**
 * Makes a watch, whose first run is due at once.
 * @throws Refusal invalid_request when the account has as many as it may
 */
export async function createWatch(
  tx: Tx,
  {
    principal,
    sitemapUrl,
    change,
    service,
    now,
  }: { principal: Principal; sitemapUrl: string; change: WatchChange } & Times,
): Promise<WatchRow> {
  const { accountId } = principal;
  const { watches } = tx.t;
  const isOpen = and(eq(watches.accountId, accountId), ne(watches.status, "stopped"));
  const [row] = await tx.q.select({ n: count() }).from(watches).where(isOpen);
  if (row!.n >= SIZES.watchesPerAccount) {
    const message = `The account has ${SIZES.watchesPerAccount} watches, and that is the most. Stop one first: watch_sitemap with its watch_id and status stopped.`;
    throw new Refusal("invalid_request", message, { issues: [{ path: "sitemap_url", message: "too many watches" }] });
  }
  await forgetStopped(tx, accountId);
  const settings = { ...DEFAULT_SETTINGS, ...withoutUndefined(change) };
  const { include, exclude, firstRun = "baseline", status = "active", ...plain } = settings;
  const [created] = await tx.q
    .insert(watches)
    .values({
      ...plain,
      id: newId("wat"),
      accountId,
      maker: creatorOf(principal),
      holder: principal.credential.holder,
      sitemapUrl,
      include: JSON.stringify(include),
      exclude: JSON.stringify(exclude),
      firstRun,
      status,
      nextRunAt: status === "active" ? soonestRunAt(null, service) : null,
      recheckAt: nextRecheckAt(plain.recheck, service),
      createdAt: service,
      changedAt: now,
    })
    .returning();
  return created!;
}

/** A watch that is made active again, by a caller who may change it, runs as this caller from then on. */
export async function changeWatch(
  tx: Tx,
  watch: WatchRow,
  { principal, change, service, now }: { principal: Principal; change: WatchChange } & Times,
): Promise<WatchRow> {
  const { watches, watchPages, namedPages } = tx.t;
  const { include, exclude, firstRun, status, ...plain } = withoutUndefined(change);
  const patterns = {
    ...(include === undefined ? {} : { include: JSON.stringify(include) }),
    ...(exclude === undefined ? {} : { exclude: JSON.stringify(exclude) }),
  };
  // Other patterns make another list of pages. Pages that they bring or take away are no change of the site.
  const isOtherList = Object.entries(patterns).some(([name, value]) => watch[name as "include"] !== value);
  const soonest = soonestRunAt(watch.readAt, service);
  const isResumed = status === "active" && watch.status !== "active" && watch.status !== "held";
  const after = { ...settingsOf(watch), ...plain };
  const isRechecked = after.recheck !== "off" && (plain.recheck ?? plain.stopWhenIndexed) !== undefined;
  const [row] = await tx.q
    .update(watches)
    .set({
      ...plain,
      ...patterns,
      ...(isOtherList ? { firstRun: firstRun ?? "baseline" } : {}),
      ...(isResumed
        ? { status, reason: null, nextRunAt: soonest, maker: creatorOf(principal), holder: principal.credential.holder }
        : {}),
      // Who knows the hook of another credential does not spend what this one may.
      ...(isResumed && creatorOf(principal) !== watch.maker ? { sealedHookSecret: null } : {}),
      ...(status === "paused" ? { status, reason: null, nextRunAt: null } : {}),
      ...(status === "stopped" ? STOPPED : {}),
      ...(plain.every !== undefined && plain.every !== watch.every && watch.nextRunAt !== null
        ? { nextRunAt: soonest }
        : {}),
      ...(plain.recheck !== undefined && plain.recheck !== watch.recheck
        ? { recheckAt: nextRecheckAt(plain.recheck, service) }
        : {}),
      ...(isRechecked ? { recheckPages: await countRecheckPages(tx, watch, after) } : {}),
      // The next reading is a whole one, whatever the server says has changed.
      documents: null,
      changedAt: now,
      revision: sql`${watches.revision} + 1`,
    })
    .where(eq(watches.no, watch.no))
    .returning();
  if (status === "stopped") await tx.q.delete(watchPages).where(eq(watchPages.watchNo, watch.no));
  // What a hook has named before is in the sitemap by now, which is read at once.
  if (status === "stopped" || isResumed) await tx.q.delete(namedPages).where(eq(namedPages.watchNo, watch.no));
  return row!;
}

/** A stopped watch knows no pages any more: made active again, it begins as it did. */
const STOPPED = {
  ...{ status: "stopped", reason: null, nextRunAt: null, recheckAt: null, documents: null, firstRun: "baseline" },
  ...{ heldDigest: null, sealedHookSecret: null, calledAt: null },
  ...{ pages: 0, waiting: 0, parts: 1, failures: 0, monthPages: null, recheckPages: 0 },
} as const;

/** Deletes the oldest stopped watches with their runs, when there are more than an account may have active. */
async function forgetStopped(tx: Tx, accountId: string): Promise<void> {
  const { watches, watchRuns } = tx.t;
  const isStopped = and(eq(watches.accountId, accountId), eq(watches.status, "stopped"));
  const stopped = await tx.q.select({ no: watches.no }).from(watches).where(isStopped).orderBy(desc(watches.no));
  for (const { no } of stopped.slice(SIZES.watchesPerAccount - 1)) {
    await tx.q.delete(watchRuns).where(eq(watchRuns.watchNo, no));
    await tx.q.delete(watches).where(eq(watches.no, no));
  }
}

/** Locks the account, so that calls and runs of one account do this one after the other. @returns the balance */
export async function lockAccount(tx: Tx, accountId: string): Promise<number> {
  const { accounts } = tx.t;
  const [row] = await tx.q
    .update(accounts)
    .set({ entries: sql`${accounts.entries}` })
    .where(eq(accounts.id, accountId))
    .returning({ credits: accounts.credits });
  return row?.credits ?? 0;
}

function withoutUndefined<T extends object>(given: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
