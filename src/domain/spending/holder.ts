import { isPerson, type Principal } from "../../platform/principal.ts";

/** The holder of the budget of the whole account: what its keys, apps and agents may spend together. No credential is named so. */
export const ACCOUNT = "account";

/**
 * Whose budgets a call spends, its own first: of its credential and of the account, and of the person for whom it acts; at the website,
 * of the person alone.
 */
export function holdersOf({ personId, credential: { holder } }: Pick<Principal, "personId" | "credential">): string[] {
  return [...(holder === "" ? [] : [holder, ACCOUNT]), ...(personId === null ? [] : [personId])];
}

/**
 * Whose budget the calls of an app or agent spend. Connecting again begins no new budget: an app is known by its client id, and
 * an agent, which has none, by the name under which its user claimed it.
 */
export function holderOf({ clientId, name }: { readonly clientId: string | null; readonly name: string }): string {
  return clientId ?? `agent:${name}`;
}

/** Whose budget a holder's is: the account's, a person's, or of a credential. */
export type BudgetKind = "credential" | "account" | "person";

export function kindOfHolder(holder: string): BudgetKind {
  if (holder === ACCOUNT) return "account";
  return isPerson(holder) ? "person" : "credential";
}
