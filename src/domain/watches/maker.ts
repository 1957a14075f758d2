import type { Reader } from "../../../db/engine.ts";
import { creatorOf, type Principal, type Scope } from "../../platform/principal.ts";
import { isMemberWith } from "../../platform/roles.ts";
import { type End, makerOrEnd } from "../credentials/may-act.ts";
import type { WatchRow } from "./rows.ts";

/** The scopes that the runs of a watch need. */
export const RUNNING: readonly Scope[] = ["index"];

/** Whether a caller may change a watch: its maker, another connection of the same app or agent, and at the website whoever may change keys. */
export function mayChange(principal: Principal, { maker, holder }: WatchRow): boolean {
  if (creatorOf(principal) === maker || isMemberWith(principal, "keys")) return true;
  return holder !== "" && principal.credential.holder === holder;
}

type Made = Pick<WatchRow, "accountId" | "maker">;

/**
 * The principal as which the runs of a watch spend, and why there is none: its credential has ended or may not submit any more, or the
 * account is disabled.
 * @param now real time
 */
export function runnerOf(db: Reader, made: Made, now: number): Promise<Principal | End> {
  return makerOrEnd(db, made, { scopes: RUNNING, spends: true, now });
}

/** Whether the credential that made a watch has ended, or may not submit any more. @param now real time */
export async function hasMakerEnded(db: Reader, made: Made, now: number): Promise<boolean> {
  return typeof (await makerOrEnd(db, made, { scopes: RUNNING, now })) === "string";
}
