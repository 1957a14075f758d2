import { and, count, desc, eq, inArray } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { recordEvents } from "../../domain/events/record.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { bucketOf, newId } from "../../platform/ids.ts";
import { SIZES } from "../../platform/limits.ts";
import type { OwnedSite, Sites } from "../engines/engine.ts";
import { keyInUse, newKey } from "./site-keys.ts";
import { type KeyFileCheck, keyUrlOf } from "./verify.ts";

export const SITE_STATUSES = ["pending", "verified", "failed"] as const;
export type SiteRow = Schema["sites"]["$inferSelect"];

/** @param host normalised by `hostOf` */
export async function siteOf(db: Reader, accountId: string, host: string): Promise<SiteRow | null> {
  const { sites } = db.t;
  const [row] = await db.q
    .select()
    .from(sites)
    .where(and(eq(sites.accountId, accountId), eq(sites.host, host)));
  return row ?? null;
}

/** The ids of the account's sites among some hosts, by host. */
export async function siteIdsOf(
  db: Reader,
  accountId: string,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hosts.length === 0) return new Map();
  const { id, host } = db.t.sites;
  const rows = await db.q
    .select({ id, host })
    .from(db.t.sites)
    .where(and(eq(db.t.sites.accountId, accountId), inArray(host, [...hosts])));
  return new Map(rows.map((row) => [row.host, row.id]));
}

/** A page of an account's sites, newest first, and whether there is more. */
export async function sitesOf(db: Reader, accountId: string, page: { limit: number; offset: number }) {
  const { sites } = db.t;
  const rows = await db.q
    .select()
    .from(sites)
    .where(eq(sites.accountId, accountId))
    .orderBy(desc(sites.createdAt), desc(sites.id))
    .limit(page.limit + 1)
    .offset(page.offset);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/** Finds the account's verified site of a URL, as of now. It needs one query for any number of URLs. */
export async function ownedSites(db: Reader, accountId: string): Promise<Sites> {
  const { sites } = db.t;
  const rows = await db.q
    .select({ host: sites.host, keyUrl: sites.keyUrl, connections: sites.connections })
    .from(sites)
    .where(and(eq(sites.accountId, accountId), eq(sites.status, "verified")));
  const byHost = new Map<string, OwnedSite>(
    rows.map((row) => [row.host, { ...row, indexnowKey: keyInUse(row), connections: JSON.parse(row.connections) }]),
  );
  return (url) => byHost.get(authorityOf(url)) ?? null;
}

/** The host and port of a URL in stored form. */
function authorityOf(url: string): string {
  const start = url.indexOf("//") + 2;
  return url.slice(start, url.indexOf("/", start));
}

/**
 * Creates a pending site with an IndexNow key of its own, or returns the existing one. Two concurrent calls create one site.
 * @throws Refusal invalid_request when the account has as many as it may
 */
export async function createSite(tx: Tx, site: { accountId: string; host: string; now: number }): Promise<SiteRow> {
  const { accountId, host, now } = site;
  const existing = await siteOf(tx, accountId, host);
  if (existing) return existing;
  await refuseTooMany(tx, accountId);
  const indexnowKey = newKey();
  const [created] = await tx.q
    .insert(tx.t.sites)
    .values({
      id: newId("site"),
      bucket: bucketOf(accountId),
      accountId,
      host,
      status: "pending",
      indexnowKey,
      keyUrl: keyUrlOf("https", { host, indexnowKey }),
      connections: "{}",
      createdAt: now,
      verifiedAt: null,
    })
    .onConflictDoNothing()
    .returning();
  return created ?? (await siteOf(tx, accountId, host))!;
}

async function refuseTooMany(tx: Tx, accountId: string): Promise<void> {
  const { sites } = tx.t;
  const [row] = await tx.q.select({ n: count() }).from(sites).where(eq(sites.accountId, accountId));
  if (row!.n < SIZES.sitesPerAccount) return;
  const message = `the account has ${SIZES.sitesPerAccount} sites, and that is the most`;
  throw new Refusal("invalid_request", `\`host\`: ${message}. Nothing was changed; list_sites shows them.`, {
    issues: [{ path: "host", message }],
  });
}

/** Result of a check of the key file, and the connections of the host if the file was found. */
export interface SiteCheck {
  readonly keyFile: KeyFileCheck;
  /** Real time at which the check began. */
  readonly checkedAt: number;
  readonly connections: Readonly<Record<string, string>>;
}

/**
 * Stores the result of a check. Only an answer of its host takes the status from a verified site, and only in a check
 * that began after the one that verified it.
 */
export async function recordSiteCheck(
  tx: Tx,
  site: SiteRow,
  { keyFile, checkedAt, connections }: SiteCheck,
): Promise<SiteRow> {
  const { sites } = tx.t;
  const now = (await siteOf(tx, site.accountId, site.host))!;
  if (now.verifiedAt !== null && (keyFile.result === "no_answer" || now.verifiedAt > checkedAt)) return now;
  const isFound = keyFile.result === "found";
  const [row] = await tx.q
    .update(sites)
    .set({
      status: isFound ? "verified" : "failed",
      keyUrl: isFound ? keyFile.keyUrl : now.keyUrl,
      connections: isFound ? JSON.stringify(connections) : "{}",
      verifiedAt: isFound ? checkedAt : null,
    })
    .where(eq(sites.id, site.id))
    .returning();
  if (isFound && now.status !== "verified") {
    const data = { site_id: site.id, host: site.host };
    await recordEvents(tx, site.accountId, [{ type: "site.verified", data }], checkedAt);
  }
  return row!;
}
