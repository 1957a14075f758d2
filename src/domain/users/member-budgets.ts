import type { Tx } from "../../../db/engine.ts";
import type { Role } from "../../platform/principal.ts";
import { setLimits } from "../spending/budgets.ts";
import { NO_LIMITS, type SpendingLimits, SUGGESTED_LIMITS } from "../spending/limits.ts";

/** What a new member may spend until whoever manages people says otherwise: as much as a new app or agent. */
const FIRST: SpendingLimits = { ...SUGGESTED_LIMITS, approveAbove: null };

interface Whose {
  readonly accountId: string;
  readonly personId: string;
}

/** Begins or ends the limits of a person whose role has changed: only a member has some. @param role null: the person has left */
export async function limitByRole(
  tx: Tx,
  { accountId, personId, role }: Whose & { readonly role: Role | null },
): Promise<void> {
  await setLimits(tx, { accountId, holder: personId }, role === "member" ? FIRST : NO_LIMITS);
}

/** Sets what a member may spend, at the website and by all that acts for the member. */
export async function setMemberLimits(
  tx: Tx,
  { accountId, personId, limits }: Whose & { readonly limits: SpendingLimits },
): Promise<void> {
  await setLimits(tx, { accountId, holder: personId }, { ...limits, approveAbove: null });
}
