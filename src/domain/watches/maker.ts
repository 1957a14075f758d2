import type { Reader } from "../../../db/engine.ts";
import { creatorOf, PERSON, type Principal, type Scope } from "../../platform/principal.ts";
import { makerWhoMayAct } from "../credentials/may-act.ts";
import type { WatchRow } from "./rows.ts";

/** The scopes that the runs of a watch need. */
export const RUNNING: readonly Scope[] = ["index"];

/** Whether a caller may change a watch: its maker, another connection of the same app or agent, and the person. */
export function mayChange(principal: Principal, { maker, holder }: WatchRow): boolean {
  const creator = creatorOf(principal);
  return creator === PERSON || creator === maker || (holder !== "" && principal.credential.holder === holder);
}

/**
 * The principal as which the runs of a watch spend; null where its credential has ended, or may not submit any more.
 * @param now real time
 */
export function principalOfMaker(
  db: Reader,
  made: Pick<WatchRow, "accountId" | "maker">,
  now: number,
): Promise<Principal | null> {
  return makerWhoMayAct(db, made, { scopes: RUNNING, now });
}
