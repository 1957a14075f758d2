import type { Reader, Tx } from "../../db/engine.ts";
import { costOf, type Mode } from "../domain/ledger/costs.ts";
import type { IndexDraft } from "../domain/projects/draft.ts";
import { requireHeld, type Submitted, submitProject } from "../domain/projects/experiments/create.ts";
import { holdoutNotPossible } from "../domain/projects/experiments/refusal.ts";
import { watchThatSubmits } from "../domain/watches/watches.ts";
import { takesSitemaps } from "../indexing/engines/live/providers.ts";
import { Refusal } from "../platform/errors/errors.ts";
import type { PackedUrls } from "../platform/urls/packed-urls.ts";
import { type CallContext, spenderOf } from "./context.ts";

/** What a caller asks for. */
type Request = Pick<
  IndexDraft,
  "urls" | "mode" | "name" | "bing" | "yandex" | "dripDays" | "skipIndexed" | "sitemapUrl" | "holdoutPercent"
>;

/** Submits URLs as the caller. @throws Refusal holdout_not_possible, and as `createProject` */
export async function submit(tx: Tx, ctx: CallContext<never> | CallContext, request: Request): Promise<Submitted> {
  const { clock, config } = ctx;
  const caller = spenderOf(ctx);
  if (request.holdoutPercent !== undefined) {
    if (request.skipIndexed) throw holdoutNotPossible("skip_indexed");
    await requireHoldout(tx, config, { accountId: caller.accountId, urls: request.urls });
  }
  const times = { now: clock.now(), service: clock.service() };
  return submitProject(tx, { kind: "index", ...caller, ...request, preflight: config.preflight, ...times });
}

interface ToEstimate {
  readonly kind: Mode | "check";
  readonly percent: number;
  /** Null: they are only counted. */
  readonly urls: PackedUrls | null;
  readonly count: number;
  /** Absent: nobody is signed in. */
  readonly accountId: string | undefined;
}

/** The groups of a submission, and what it costs to look the held one up. @throws Refusal invalid_request, holdout_not_possible */
export async function estimateHoldout(
  { db, config }: Pick<CallContext, "db" | "config">,
  { kind, percent, urls, count, accountId }: ToEstimate,
): Promise<{ sent: number; held: number; credits: number }> {
  if (kind === "check") {
    const issues = [{ path: "holdout_percent", message: "nothing is sent in a check" }];
    throw new Refusal("invalid_request", "A check sends no pages, so that none can be held out.", { issues });
  }
  await requireHoldout(db, config, accountId && urls ? { accountId, urls } : null);
  const held = requireHeld(count, percent);
  return { sent: count - held, held, credits: costOf("holdout", held) };
}

/**
 * Whether nothing that the service or the account does by itself would bring held pages to an engine.
 * @param of null: nobody is signed in, or no pages are named
 * @throws Refusal holdout_not_possible
 */
async function requireHoldout(
  db: Reader,
  config: CallContext["config"],
  of: { readonly accountId: string; readonly urls: PackedUrls } | null,
): Promise<void> {
  if (takesSitemaps(config)) throw holdoutNotPossible("sitemap_provider");
  if (!of) return;
  const hosts = new Set(of.urls.toArray().map((url) => url.split("/", 3)[2]!));
  const watch = await watchThatSubmits(db, of.accountId, hosts);
  if (watch) throw holdoutNotPossible("watch_submits", { watch_id: watch });
}
