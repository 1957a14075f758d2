import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { spentIn } from "../../domain/watches/budget.ts";
import {
  type CommittedRun,
  commitFailure,
  commitReading,
  commitUnchanged,
  type ReadingToCommit,
} from "../../domain/watches/commit-run.ts";
import { decideRun, type RunInput } from "../../domain/watches/decide.ts";
import { differenceOf } from "../../domain/watches/difference.ts";
import { settingsOf, type WatchRow } from "../../domain/watches/rows.ts";
import { EMPTY_RUN, type Run } from "../../domain/watches/runs.ts";
import { holdOf } from "../../domain/watches/sense.ts";
import { loadPages, urlsOf } from "../../domain/watches/store-pages.ts";
import type { Clock, Times } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { NotificationDeps } from "../sites/notify-urls.ts";
import { readListing } from "./read-listing.ts";

export interface WatcherDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly config: NotificationDeps["config"] & Pick<Config, "preflight">;
}

/** A sitemap that was read, before anything is written. */
export type PreparedRun =
  | (RunInput & { readonly kind: "read"; readonly documents: string | null })
  | { readonly kind: "unchanged"; readonly watch: WatchRow }
  | { readonly kind: "failed"; readonly watch: WatchRow; readonly reason: string };

export interface RunOptions {
  /** The digest of what may hold it and is accepted, by `release`; null: none. */
  readonly accepted?: string | null | undefined;
  /** Reads the whole sitemap, even if its server says that nothing has changed. */
  readonly isWhole?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the sitemap of a watch and compares it with what is known. @throws Refusal unavailable */
export async function prepareRun(
  { db, clock, http }: Omit<WatcherDeps, "config">,
  watch: WatchRow,
  { accepted = null, isWhole = false, signal }: RunOptions = {},
): Promise<PreparedRun> {
  // Waiting pages are found only by reading the sitemap again. It pays if there are credits for them.
  const hasWork = watch.waiting > 0 && spentIn(watch, clock.service()) < watch.creditsPerMonth;
  const isConditional = accepted === null && !isWhole && !hasWork && watch.firstRun === "done";
  let read: Awaited<ReturnType<typeof readListing>>;
  try {
    read = await readListing(http, watch, { isConditional, signal });
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || !thrown.code.startsWith("sitemap_")) throw thrown;
    const { reason } = thrown.fields as { reason?: unknown };
    return { kind: "failed", watch, reason: typeof reason === "string" ? reason : thrown.code };
  }
  if (read === null) return { kind: "unchanged", watch };
  const known = await loadPages(db, watch);
  const difference = await differenceOf(read.listing, known, clock.service());
  const removedUrls = watch.removedPages === "notify" ? await urlsOf(db, watch, known, difference.removed) : [];
  const isFirst = watch.firstRun !== "done";
  const found = isFirst ? null : await holdOf({ listing: read.listing, known, difference }, settingsOf(watch));
  const hold = found?.digest === accepted ? null : found;
  return { kind: "read", ...read, watch, known, difference, hold, removedUrls };
}

/** Carries out a prepared run. @throws RunLost, Refusal unauthorized */
export async function commitRun(
  tx: Tx,
  prepared: PreparedRun,
  rest: Pick<ReadingToCommit, "principal" | "agreed" | "preflight" | "times">,
): Promise<CommittedRun> {
  const { times } = rest;
  if (prepared.kind === "read") return commitReading(tx, { ...prepared, ...rest });
  const run = runOf(prepared, times);
  return prepared.kind === "failed"
    ? commitFailure(tx, prepared.watch, run, times)
    : commitUnchanged(tx, prepared.watch, run, times);
}

/** The result that a run would have now, without carrying it out. */
export async function previewRun(db: Reader, prepared: PreparedRun, times: Times & { balance: number }): Promise<Run> {
  return prepared.kind === "read" ? (await decideRun(db, prepared, times)).run : runOf(prepared, times);
}

function runOf(prepared: Exclude<PreparedRun, { kind: "read" }>, { service: at }: Times): Run {
  const { watch } = prepared;
  const base = { ...EMPTY_RUN, at, waiting: watch.waiting };
  if (prepared.kind === "failed") return { ...base, result: "failed", reason: prepared.reason };
  return { ...base, result: "unchanged", samePages: watch.pages };
}
