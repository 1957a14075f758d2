import { domainToASCII } from "node:url";
import { and, count, desc, eq, inArray } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { connectionsOf } from "../../domain/connections/connections.ts";
import { recordEvents } from "../../domain/events/record.ts";
import { containsAny } from "../../domain/projects/search.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { bucketOf, newId } from "../../platform/ids.ts";
import { SIZES } from "../../platform/sizes.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";
import type { OwnedSite, Sites } from "../engines/engine.ts";
import { isWholeHost, reachesHost } from "../engines/live/google/properties.ts";
import { ownProperties, type ProvingProperty, provingProperties } from "./own-properties.ts";
import { keyInUse, newKey } from "./site-keys.ts";
import { type KeyFileCheck, keyUrlOf } from "./verify.ts";

export const SITE_STATUSES = ["pending", "verified", "failed"] as const;

/** A site with the status that it has by its key file, or by a property of the account's own connection. */
export type SiteRow = Schema["sites"]["$inferSelect"] & { readonly verifiedBy: "key_file" | "property" | null };

/** @param host normalised by `hostOf` */
export async function siteOf(db: Reader, accountId: string, host: string): Promise<SiteRow | null> {
  const { sites } = db.t;
  const [row] = await db.q
    .select()
    .from(sites)
    .where(and(eq(sites.accountId, accountId), eq(sites.host, host)));
  return row ? verifiedSite(row, await ownProperties(db, accountId)) : null;
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

type StoredSite = Schema["sites"]["$inferSelect"];

/** A stored site with its status. What a property proves is not stored, so that it ends with the property. */
export function verifiedSite(row: StoredSite, own: readonly ProvingProperty[]): SiteRow {
  if (row.status === "verified") return { ...row, verifiedBy: "key_file" };
  const proof = own.find((one) => one.isOwner && isWholeHost(one.name, row.host));
  if (!proof) return { ...row, verifiedBy: null };
  return { ...row, status: "verified", verifiedAt: proof.checkedAt, verifiedBy: "property" };
}

/** A page of an account's sites, newest first, whether there is more, and the connections of the account. */
export async function sitesOf(db: Reader, accountId: string, page: { limit: number; offset: number }) {
  const { sites } = db.t;
  const rows = await db.q
    .select()
    .from(sites)
    .where(eq(sites.accountId, accountId))
    .orderBy(desc(sites.createdAt), desc(sites.id))
    .limit(page.limit + 1)
    .offset(page.offset);
  const connections = await connectionsOf(db, accountId);
  const own = provingProperties(connections);
  const shown = rows.slice(0, page.limit).map((row) => verifiedSite(row, own));
  return { rows: shown, hasMore: rows.length > page.limit, connections };
}

/** The sites of an account whose host contains a text, newest first. */
export async function sitesLike(db: Reader, accountId: string, text: string, limit: number): Promise<SiteRow[]> {
  const { sites } = db.t;
  const rows = await db.q
    .select()
    .from(sites)
    .where(and(eq(sites.accountId, accountId), containsAny(db, sites.host, hostsIn(text))))
    .orderBy(desc(sites.createdAt), desc(sites.id))
    .limit(limit);
  if (rows.length === 0) return [];
  const own = await ownProperties(db, accountId);
  return rows.map((row) => verifiedSite(row, own));
}

/** The texts to look for in hosts: the host of a URL, or what was typed as hosts are stored. */
function hostsIn(text: string): string[] {
  const url = normaliseUrl(text);
  const typed = text.toLowerCase();
  const forms = url === null ? [typed, domainToASCII(typed)] : [authorityOf(url)];
  return forms.filter((form) => form !== "");
}

/**
 * Finds the account's site of a URL, as of now: a verified one, or one of which it has pages in its own connections. It needs
 * two queries for any number of URLs.
 */
export async function ownedSites(db: Reader, accountId: string): Promise<Sites> {
  const { sites } = db.t;
  const rows = await db.q.select().from(sites).where(eq(sites.accountId, accountId));
  const own = await ownProperties(db, accountId);
  const stored = new Map(rows.map((row) => [row.host, row]));
  const known = new Map<string, OwnedSite | null>();
  return (url) => {
    const host = authorityOf(url);
    const site = known.get(host);
    if (site !== undefined) return site;
    const found = ownedSite(host, stored.get(host), own);
    known.set(host, found);
    return found;
  };
}

function ownedSite(host: string, stored: StoredSite | undefined, own: readonly ProvingProperty[]): OwnedSite | null {
  const reaching = own.filter(({ name }) => reachesHost(name, host));
  const more = reaching.length > 0 ? { own: reaching } : {};
  const row = stored && verifiedSite(stored, own);
  if (row?.status === "verified") {
    const key = row.verifiedBy === "key_file" ? { indexnowKey: keyInUse(row), keyUrl: row.keyUrl } : NO_KEY;
    return { host, ...key, connections: JSON.parse(row.connections), ...more };
  }
  const isWhole = own.some((one) => one.isOwner && isWholeHost(one.name, host));
  if (reaching.length === 0) return null;
  return { host, ...NO_KEY, connections: {}, ...(isWhole ? {} : { isUnverified: true }), ...more };
}

const NO_KEY = { indexnowKey: null, keyUrl: null };

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
  const made = (await siteOf(tx, accountId, host))!;
  if (created && made.status === "verified")
    await recordEvents(tx, accountId, [{ type: "site.verified", data: { site_id: made.id, host } }], now);
  return made;
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

/** Result of a check of the key file, and the connections of the host if it is verified. */
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
  const [now] = await tx.q.select().from(sites).where(eq(sites.id, site.id));
  if (!now) return site;
  if (now.verifiedAt !== null && (keyFile.result === "no_answer" || now.verifiedAt > checkedAt))
    return verifiedSite(now, await ownProperties(tx, site.accountId));
  const own = await ownProperties(tx, site.accountId);
  const isFound = keyFile.result === "found";
  const isVerified = isFound || verifiedSite({ ...now, status: "failed" }, own).status === "verified";
  const [row] = await tx.q
    .update(sites)
    .set({
      status: isFound ? "verified" : "failed",
      keyUrl: isFound ? keyFile.keyUrl : now.keyUrl,
      connections: isVerified ? JSON.stringify(connections) : "{}",
      verifiedAt: isFound ? checkedAt : null,
    })
    .where(eq(sites.id, site.id))
    .returning();
  if (isFound && now.status !== "verified") {
    const data = { site_id: site.id, host: site.host };
    await recordEvents(tx, site.accountId, [{ type: "site.verified", data }], checkedAt);
  }
  return verifiedSite(row!, own);
}
