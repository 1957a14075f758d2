import type { Reader } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Principal } from "../../platform/principal.ts";
import { RunLost } from "./commit-run.ts";
import { runnerOf } from "./maker.ts";
import type { WatchRow } from "./rows.ts";
import { findOwnWatch, findWatch } from "./watches.ts";

/**
 * The watch of a call of run_watch. Anybody who may submit runs it, since its own limits hold; only who may change it releases it.
 * @throws Refusal not_found, invalid_request when it is paused or stopped
 */
export async function watchToRun(
  db: Reader,
  caller: Principal,
  { watchId, isDry, isReleased }: { watchId: string; isDry: boolean; isReleased: boolean },
): Promise<WatchRow> {
  const find = isReleased ? findOwnWatch(db, caller, watchId) : findWatch(db, caller.accountId, watchId);
  const watch = await find;
  const isRunning = watch.status === "active" || watch.status === "held";
  if (isRunning || (isDry && watch.status === "paused")) return watch;
  throw invalid(
    `This watch is ${watch.status}. Make it active first: watch_sitemap with its watch_id and status active.`,
  );
}

/** The principal as which it spends. @throws Refusal invalid_request when that credential has ended */
export async function makerToRunAs(db: Reader, watch: WatchRow, now: number): Promise<Principal> {
  const found = await runnerOf(db, watch, now);
  if (typeof found !== "string") return found;
  throw invalid(
    "The credential as which this watch runs has ended. The person on the dashboard makes it active again, and it then runs as theirs.",
  );
}

/** @throws Refusal unavailable where another run of the same watch was faster */
export async function retryIfLost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof RunLost)) throw thrown;
    const message = "This watch was run or changed at the same moment. Nothing was done by this call; repeat it.";
    throw new Refusal("unavailable", message, {}, { "Retry-After": "5" });
  }
}

function invalid(message: string): Refusal {
  return new Refusal("invalid_request", message, { issues: [{ path: "watch_id", message }] });
}
