import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { MINUTE, SECOND, type Times } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { doerOf, type Principal } from "../../platform/principal.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { SIZES } from "../../platform/sizes.ts";
import { newHookSecret } from "../credentials/hook-secrets.ts";
import { requireMaker, requireMayAct } from "../credentials/may-act.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { changeRow } from "./commit-run.ts";
import { RUNNING } from "./maker.ts";
import type { WatchRow } from "./rows.ts";
import { lockAccount } from "./watches.ts";

/** What a caller does with the publish hook of a watch: makes one with another secret, or removes it. */
export const HOOK_CHANGES = ["new", "off"] as const;

export interface HookedWatch {
  readonly watch: WatchRow;
  /** Of the new hook, to be handed out once; null where none was made. */
  readonly secret: string | null;
}

/** Makes or removes the publish hook of a watch. A secret that was there before ends at once. */
export async function changeHook(
  tx: Tx,
  watch: WatchRow,
  { change, principal, box, now }: Change,
): Promise<HookedWatch> {
  const made = change === "new" ? newHookSecret(watch.id, box) : null;
  const changed = await changeRow(tx, watch, { sealedHookSecret: made?.sealed ?? null, changedAt: now });
  const kind = made ? "hook_made" : "hook_removed";
  const event = { kind, subject: watch.sitemapUrl, target: watch.id, now } as const;
  await recordSecurityEvent(tx, { accountId: watch.accountId, ...doerOf(principal), ...event });
  return { watch: changed, secret: made?.secret ?? null };
}

interface Change {
  readonly change: (typeof HOOK_CHANGES)[number];
  readonly principal: Principal;
  readonly box: SecretBox;
  readonly now: number;
}

/** The watch of a publish hook with its sealed secret; null where there is no such hook. */
export async function hookedWatch(db: Reader, watchId: string): Promise<Hooked | null> {
  const { watches } = db.t;
  const isIt = and(eq(watches.id, watchId), isNotNull(watches.sealedHookSecret));
  const [row] = await db.q.select().from(watches).where(isIt);
  return (row as Hooked | undefined) ?? null;
}

export type Hooked = WatchRow & { readonly sealedHookSecret: string };

/** Pages that are named within this time are taken together, in ms of service time. */
const GATHERED = 20 * SECOND;

/** The shortest time between readings that calls of a hook bring about, in ms of service time. */
const LEAST = MINUTE;

interface HookCall extends Times {
  /** The watch whose secret the call has proved to have. */
  readonly proved: Hooked;
  /** The pages that it names, of the watch; if it names none, the watch runs. */
  readonly urls: readonly string[];
}

/**
 * Notes what a call of a publish hook asks for; the watcher does it soon after (`take-named.ts`, `claim.ts`). Calls that come together are
 * answered together.
 * @returns how many of the pages are taken; if there are none, the watch runs
 * @throws Refusal not_found, invalid_request, unauthorized, insufficient_scope, spending_limit
 */
export async function noteHookCall(tx: Tx, { proved, urls, now, service }: HookCall): Promise<number> {
  await lockAccount(tx, proved.accountId);
  const watch = await hookedWatch(tx, proved.id);
  // Another secret has been made, or none is left, since the call came.
  if (watch?.sealedHookSecret !== proved.sealedHookSecret) throw noHook();
  if (watch.status !== "active" && watch.status !== "held") throw isNotRunning(watch);
  const act = { scopes: RUNNING, spends: true, now };
  await requireMayAct(tx, await requireMaker(tx, watch, act), act);
  if (urls.length === 0 || !takesNamed(watch) || (await isFull(tx, watch, urls.length))) {
    const soonest = Math.max(service, Math.min(watch.readAt ?? 0, service) + LEAST);
    await changeRow(tx, watch, { calledAt: Math.min(watch.calledAt ?? soonest, soonest) });
    return 0;
  }
  const { namedPages } = tx.t;
  const pages = { urls: JSON.stringify(urls), count: urls.length };
  await tx.q
    .insert(namedPages)
    .values({ watchNo: watch.no, accountId: watch.accountId, at: service + GATHERED, ...pages });
  return urls.length;
}

/** Whether a watch takes pages that its hook names. One that has not read its sitemap yet cannot know which of them are new. */
export function takesNamed({ status, firstRun }: WatchRow): boolean {
  return status === "active" && firstRun === "done";
}

/** Whether as many pages wait already as a submission may have. */
async function isFull(tx: Tx, { no }: WatchRow, more: number): Promise<boolean> {
  const { namedPages } = tx.t;
  const total = sql<number>`coalesce(sum(${namedPages.count}), 0)`.mapWith(Number);
  const [row] = await tx.q.select({ total }).from(namedPages).where(eq(namedPages.watchNo, no));
  return row!.total + more > SIZES.urlsPerSubmission;
}

export function noHook(): Refusal {
  return new Refusal("not_found", "There is no such publish hook. Call watch_sitemap with hook new for one.");
}

function isNotRunning({ status }: WatchRow): Refusal {
  const message = `This watch is ${status}, and its publish hook does nothing. Make it active first: watch_sitemap with its watch_id and status active.`;
  return new Refusal("invalid_request", message, { issues: [{ path: "watch_id", message }] });
}
