import { and, eq, inArray } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { keyHoldersOf } from "../engines/live/submit/indexnow.ts";
import { isReplaced, keyInUse, newKey } from "./site-keys.ts";
import { type SiteRow, siteOf } from "./sites.ts";
import { checkKeyFile, type KeyFileCheck, keyUrlOf } from "./verify.ts";

/**
 * Gives a site a new key. A verified site uses the old one until the file of the new one is found. A site whose key is
 * being replaced keeps the new one that it has.
 */
export async function rotateKey(tx: Tx, { accountId, host }: SiteRow): Promise<SiteRow> {
  const { sites } = tx.t;
  const site = (await siteOf(tx, accountId, host))!;
  if (isReplaced(site)) return site;
  const indexnowKey = newKey();
  const keyUrl =
    site.status === "verified" && site.verifiedBy !== "property"
      ? site.keyUrl
      : keyUrlOf("https", { host, indexnowKey });
  await tx.q.update(sites).set({ indexnowKey, keyUrl }).where(eq(sites.id, site.id));
  return { ...site, indexnowKey, keyUrl };
}

/** Looks for the file of the site's key. While the key is replaced, the file of the one in use counts too. */
export async function findKeyFile(http: HttpClient, site: SiteRow): Promise<KeyFileCheck> {
  const { host, indexnowKey } = site;
  const check = await checkKeyFile(http, { host, indexnowKey });
  if (check.result === "found" || check.result === "no_answer" || !isReplaced(site)) return check;
  return checkKeyFile(http, { host, indexnowKey: keyInUse(site) });
}

/** The engines that refuse the key in use of each site, by the site's id. */
export async function keyRefusals(db: Reader, sites: readonly SiteRow[]): Promise<ReadonlyMap<string, string[]>> {
  const { providers } = db.t;
  const names = sites.flatMap(({ keyUrl }) => keyHoldersOf(keyUrl).map(({ holder }) => holder));
  const refusing = await db.q
    .select({ name: providers.name })
    .from(providers)
    .where(and(inArray(providers.name, names), eq(providers.reason, "key_refused")));
  const refused = new Set(refusing.map(({ name }) => name));
  const enginesOf = ({ keyUrl }: SiteRow) => keyHoldersOf(keyUrl).filter(({ holder }) => refused.has(holder));
  return new Map(sites.map((site) => [site.id, enginesOf(site).map(({ engine }) => engine)]));
}
