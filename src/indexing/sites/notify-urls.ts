import type { Engine, Tx } from "../../../db/engine.ts";
import { consumeLimit, refundLimit } from "../../domain/limits/window.ts";
import type { NoticeDetail } from "../../domain/projects/evidence-codes.ts";
import { heldPages } from "../../domain/projects/experiments/held.ts";
import { type Clock, SECOND } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { OwnedSite, SendOutcome } from "../engines/engine.ts";
import { apiWithConnections } from "../engines/live/own/api.ts";
import { namesOf } from "../engines/live/providers.ts";
import { notificationChannels } from "../engines/live/submit/index.ts";
import { liveSubmitter } from "../engines/live/submitter.ts";
import { ProviderBook } from "../providers/book.ts";
import { NoticeJournal } from "./notice-journal.ts";
import { ownedSites } from "./sites.ts";

export const NOTICE_EVENTS = ["updated", "deleted"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

export interface NotificationDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Pick<Config, "mode" | "engines" | "providers" | "databaseUrl" | "secretsKeys">;
  readonly http: HttpClient;
}

export interface Notification {
  readonly accountId: string;
  /** Normalised, without duplicates (`parseUrlList`). */
  readonly urls: readonly string[];
  /** `updated`: new or changed. `deleted`: the page is gone, and answers so. */
  readonly event: NoticeEvent;
}

/** What became of the notification about one URL. */
export interface NotificationReceipt {
  readonly url: string;
  readonly engines: Readonly<Record<NotifiedEngine, EngineReceipt>>;
}

export const NOTIFIED_ENGINES = ["bing", "yandex"] as const;
export type NotifiedEngine = (typeof NOTIFIED_ENGINES)[number];

export interface EngineReceipt {
  /**
   * `sent`: the engine accepted it, or its answer was lost. `skipped`: no provider accepts it. `failed`: it may be
   * repeated.
   */
  readonly status: "sent" | "skipped" | "failed";
  readonly detail: NoticeDetail | null;
}

/** For how long calls are begun, and how long one may take, in real ms. A caller waits for the receipts. */
const BEGIN_FOR = 30 * SECOND;
const CALL_MS = 15 * SECOND;

/**
 * Tells Bing and Yandex that pages have changed or are gone. It belongs to no project and costs no credits.
 *
 * Only URLs of hosts that the account has verified are sent. The others are `skipped` with `host_not_verified`, and pages that an
 * experiment holds out with `held_out`. A notification may be repeated without harm. An engine that fails shows in the receipts and
 * is never an error. The function returns after 45 seconds at the latest.
 *
 * Call it outside of transactions. It first counts the URLs in a transaction of its own; the count is all that is stored. Then it
 * calls the providers that have quota left and are not held. In a sandbox nothing leaves the process.
 *
 * @returns one receipt for each URL, in order
 * @throws Refusal rate_limited if the account would send more than 10,000 URLs in 24 hours; nothing is sent then
 */
export async function notifyUrls(
  deps: NotificationDeps,
  { accountId, urls, event }: Notification,
): Promise<NotificationReceipt[]> {
  const siteOf = await ownedSites(deps.db, accountId);
  const held = (await (await heldPages(deps.db, accountId))?.(urls)) ?? new Set();
  const sites = new Map(urls.flatMap((url) => [[url, siteOf(url)] as const]));
  const own = urls.filter((url) => sites.get(url) && !held.has(url));
  const now = deps.clock.now();
  if (own.length > 0) await consumeLimit(deps.db, accountId, "notified_urls", now, own.length);
  const sent = await sendToAll(deps, own, (url) => sites.get(url) ?? null, event);
  const receipts = urls.map((url) => ({
    url,
    engines: sent.get(url) ?? skippedFor(held.has(url) ? HELD_OUT : HOST_NOT_VERIFIED),
  }));
  const wasted = receipts.filter(({ url, engines }) => sent.has(url) && isNowhere(engines)).length;
  if (wasted > 0) await deps.db.tx((tx: Tx) => refundLimit(tx, accountId, "notified_urls", now, wasted));
  return receipts;
}

type EngineReceipts = NotificationReceipt["engines"];

const HOST_NOT_VERIFIED: EngineReceipt = { status: "skipped", detail: "host_not_verified" };
const HELD_OUT: EngineReceipt = { status: "skipped", detail: "held_out" };
const NO_PROVIDER: EngineReceipt = { status: "skipped", detail: "no_provider" };
const SIMULATED: EngineReceipt = { status: "sent", detail: "sandbox" };

function skippedFor(receipt: EngineReceipt): EngineReceipts {
  return { bing: receipt, yandex: receipt };
}

function isNowhere(engines: EngineReceipts): boolean {
  return NOTIFIED_ENGINES.every((engine) => engines[engine].status !== "sent");
}

async function sendToAll(
  deps: NotificationDeps,
  urls: readonly string[],
  sites: (url: string) => OwnedSite | null,
  event: NoticeEvent,
): Promise<ReadonlyMap<string, EngineReceipts>> {
  if (urls.length === 0) return new Map();
  if (deps.config.mode === "sandbox") return new Map(urls.map((url) => [url, { bing: SIMULATED, yandex: SIMULATED }]));
  const [bing, yandex] = await Promise.all(NOTIFIED_ENGINES.map((engine) => send(deps, engine, urls, sites, event)));
  return new Map(urls.map((url, index) => [url, { bing: bing![index]!, yandex: yandex![index]! }]));
}

async function send(
  { db, clock, config, http }: NotificationDeps,
  engine: NotifiedEngine,
  urls: readonly string[],
  sites: (url: string) => OwnedSite | null,
  event: NoticeEvent,
): Promise<EngineReceipt[]> {
  const callApi: HttpClient["callApi"] = (request) =>
    http.callApi({ ...request, timeMs: Math.min(request.timeMs, CALL_MS) });
  const api = apiWithConnections({ db, clock, config, http: { ...http, callApi } });
  const channels = notificationChannels(api, namesOf(config.engines)).filter(
    ({ lane, takesDeletions }) => lane === engine && (event === "updated" || takesDeletions),
  );
  if (channels.length === 0) return urls.map(() => NO_PROVIDER);
  const journal = new NoticeJournal(new ProviderBook(db, clock), clock, clock.now() + BEGIN_FOR);
  const batch = { urls, asOf: clock.service(), mode: "standard", sitemapUrl: null, sites, journal } as const;
  return (await liveSubmitter(channels, clock).send(batch)).map(receiptOf);
}

const STATUSES: Readonly<Record<SendOutcome["kind"], EngineReceipt["status"]>> = {
  accepted: "sent",
  uncertain: "sent",
  skipped: "skipped",
  rejected: "failed",
  deferred: "failed",
};

function receiptOf({ kind, detail }: SendOutcome): EngineReceipt {
  // Only IndexNow and the webmaster accounts of Bing and Yandex are called. They give no other details than these.
  return { status: STATUSES[kind], detail: (detail as NoticeDetail | undefined) ?? null };
}
