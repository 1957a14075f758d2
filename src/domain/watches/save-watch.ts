import type { Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { doerOf, type Principal } from "../../platform/principal.ts";
import { normaliseUrl } from "../../platform/urls/urls.ts";
import { type Change, recordSecurityEvent } from "../security-log/security-log.ts";
import { mayChange } from "./maker.ts";
import type { WatchRow } from "./rows.ts";
import {
  anothersWatch,
  changeWatch,
  createWatch,
  findOwnWatch,
  lockAccount,
  type WatchChange,
  watchAt,
} from "./watches.ts";

interface SavedWatch extends Times {
  readonly principal: Principal;
  readonly watchId: string | undefined;
  /** The address of the sitemap. */
  readonly url: string | undefined;
  readonly change: WatchChange;
}

/**
 * Makes a watch, or changes the one that the account has for the sitemap.
 * @throws Refusal invalid_request, not_found
 */
export async function saveWatch(tx: Tx, saved: SavedWatch): Promise<WatchRow> {
  const { accountId } = saved.principal;
  // The second of two simultaneous calls counts the watch of the first.
  await lockAccount(tx, accountId);
  const { watch, kind } = await madeOrChanged(tx, saved);
  const doer = doerOf(saved.principal);
  const change = { kind, subject: watch.sitemapUrl, target: watch.id, now: saved.now };
  await recordSecurityEvent(tx, { accountId, ...doer, ...change });
  return watch;
}

async function madeOrChanged(
  tx: Tx,
  { watchId, url, principal, ...rest }: SavedWatch,
): Promise<{ watch: WatchRow; kind: Extract<Change, `watch_${string}`> }> {
  const { accountId } = principal;
  const changed = async (watch: WatchRow) => {
    return { watch: await changeWatch(tx, watch, { principal, ...rest }), kind: "watch_changed" } as const;
  };
  const sitemapUrl = url === undefined ? undefined : normaliseUrl(url);
  if (sitemapUrl === null) throw invalid("is not a URL");
  if (watchId !== undefined) {
    const watch = await findOwnWatch(tx, principal, watchId);
    if (sitemapUrl !== undefined && sitemapUrl !== watch.sitemapUrl) throw invalid("is another one than this watch's");
    return changed(watch);
  }
  if (sitemapUrl === undefined) throw invalid("is required");
  const watch = await watchAt(tx, accountId, sitemapUrl);
  if (!watch) return { watch: await createWatch(tx, { principal, sitemapUrl, ...rest }), kind: "watch_made" };
  if (!mayChange(principal, watch)) throw anothersWatch();
  return changed(watch);
}

function invalid(message: string): Refusal {
  return new Refusal("invalid_request", `\`sitemap_url\`: ${message}.`, { issues: [{ path: "sitemap_url", message }] });
}
