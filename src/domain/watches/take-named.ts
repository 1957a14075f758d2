import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import type { Principal } from "../../platform/principal.ts";
import { hashUrls } from "../../platform/urls/urls.ts";
import { requireMayAct } from "../credentials/may-act.ts";
import { recordEvents } from "../events/record.ts";
import { calendarDay } from "../spending/calendar.ts";
import { allowanceOf, spentIn } from "./budget.ts";
import { changeRow, submitPages } from "./commit-run.ts";
import { examplesOf } from "./decide.ts";
import type { Difference } from "./difference.ts";
import { takesNamed } from "./hooks.ts";
import type { KnownPages } from "./known-pages.ts";
import { RUNNING } from "./maker.ts";
import { planRun } from "./plan.ts";
import { settingsOf, type WatchRow } from "./rows.ts";
import { EMPTY_RUN, type Run, writeRun } from "./runs.ts";
import { eventsOfRun } from "./watch-events.ts";
import { findWatch, lockAccount } from "./watches.ts";

/** Running watches with pages that their hooks have named, the ones that wait longest first. */
export async function watchesWithNamed(db: Reader, service: number, limit: number): Promise<WatchRow[]> {
  const { namedPages, watches } = db.t;
  const rows = await db.q
    .select({ watch: watches })
    .from(namedPages)
    .innerJoin(watches, eq(watches.no, namedPages.watchNo))
    .where(and(lte(namedPages.at, service), isNotNull(watches.nextRunAt)))
    .orderBy(asc(namedPages.at))
    .limit(limit);
  return [...new Map(rows.map(({ watch }) => [watch.no, watch])).values()];
}

interface Taking {
  /** As whom it spends. */
  readonly principal: Principal;
  /** What was known of the pages of the sitemap a moment ago. */
  readonly known: KnownPages;
  readonly preflight: boolean;
  readonly times: Times;
}

/**
 * Takes the pages that calls of a watch's hook have named, in one transaction, by the settings and within the limits of the watch: a page
 * that the sitemap does not list yet as a new one, any other as a changed one. What is known of the sitemap stays as it is, so the
 * next reading finds new pages there; those that were submitted by then cost nothing again, and those that were left take their turn.
 *
 * @throws Refusal unauthorized, insufficient_scope, spending_limit when its maker may not act any more
 */
export async function takeNamed(tx: Tx, { id, accountId, no }: WatchRow, input: Taking): Promise<void> {
  const { principal, known, times } = input;
  const balance = await lockAccount(tx, accountId);
  const watch = await findWatch(tx, accountId, id);
  const { namedPages } = tx.t;
  const rows = await tx.q.delete(namedPages).where(eq(namedPages.watchNo, no)).returning({ urls: namedPages.urls });
  const urls = [...new Set(rows.flatMap((row) => JSON.parse(row.urls) as string[]))];
  if (urls.length === 0) return;
  if (!takesNamed(watch)) return void (await changeRow(tx, watch, { calledAt: times.service }));
  await requireMayAct(tx, principal, { scopes: RUNNING, spends: true, now: times.now });

  const settings = settingsOf(watch);
  const difference = differenceOf(urls, known);
  const listing = { urls, modified: new Uint32Array(urls.length), isComplete: false };
  // A change that is to be submitted costs credits again, so the sitemap's own date has to say it, too.
  const readsSitemap = settings.changedPages === "submit" && difference.changed.length > 0;
  const changed = settings.changedPages === "notify" ? difference.changed : [];
  const taken = { ...difference, changed };
  const allowance = await allowanceOf(tx, watch, { ...times, balance });
  const plan = await planRun(tx, accountId, settings, { listing, difference: taken }, allowance);
  if (readsSitemap) await changeRow(tx, watch, { calledAt: times.service });
  if (plan.submit.length + plan.notify.length === 0 && plan.limit === null) return;

  const projectId = await submitPages(tx, { ...input, watch, listing }, plan);
  const urlOf = (index: number) => urls[index]!;
  const run: Run = {
    ...EMPTY_RUN,
    ...{ at: times.service, result: "done", reason: plan.limit, projectId, creditsSpent: plan.credits },
    ...{ newPages: difference.fresh.length, changedPages: changed.length, submitted: plan.submit.length },
    waiting: watch.waiting + plan.waitNew.length + plan.waitChanged.length,
    examples: { new: examplesOf(difference.fresh, urlOf), changed: examplesOf(changed, urlOf), removed: [] },
  };
  const updated = plan.notify.map(urlOf);
  const runNo = await writeRun(tx, watch, run, updated.length > 0 ? { updated, deleted: [] } : null);
  const { month } = calendarDay(times.service);
  const events = eventsOfRun(watch, { ...run, no: runNo }, { failures: 0, hold: null, month });
  await changeRow(tx, watch, {
    runs: runNo,
    month: Math.max(watch.month, month),
    spentThisMonth: spentIn(watch, times.service) + plan.credits,
    ...(events.some(({ type }) => type === "watch.budget_spent") ? { toldMonth: month } : {}),
  });
  await recordEvents(tx, accountId, events, times.now);
}

/** What named pages are to a watch, by their index in the list. */
function differenceOf(urls: readonly string[], known: KnownPages): Difference & { readonly fresh: number[] } {
  const bytes = hashUrls(urls);
  const hashes = new Uint32Array(bytes.buffer, bytes.byteOffset, 2 * urls.length);
  const fresh: number[] = [];
  const changed: number[] = [];
  for (let index = 0; index < urls.length; index++) {
    const page = known.find(hashes[2 * index]!, hashes[2 * index + 1]!);
    const state = page === -1 ? "waits_as_new" : known.stateOf(page);
    (state === "waits_as_new" || state === "gone_untaken" ? fresh : changed).push(index);
  }
  const none = { waitingNew: [], waitingChanged: [], corrected: [], removed: [], same: 0, known: known.size };
  return { hashes, fresh, changed, ...none };
}
