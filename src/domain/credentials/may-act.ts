import type { Reader, Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Principal, Scope } from "../../platform/principal.ts";
import { type Access, accessOfMaker, heldAccess, personal } from "./access.ts";
import { covers, type Resource } from "./resources.ts";

/** What somebody wants to do. */
export interface Act {
  /** The scopes that it needs. */
  readonly scopes: readonly Scope[];
  /** Where it is done; absent: without a request. */
  readonly resource?: Resource;
  /** Whether it is one of the few things that can be done in an account that will be deleted, such as to keep it. */
  readonly whileLeaving?: boolean;
  /** Real time. */
  readonly now: number;
}

/** How access ends, and who has no access by it. No other place decides it. */
export const ENDS = {
  revoked: ({ isRevoked }: Access) => isRevoked,
  ended: ({ endsAt }: Access, { now }: Act) => endsAt !== null && endsAt <= now,
  leaving: ({ isLeaving }: Access, { whileLeaving = false }: Act) => isLeaving && !whileLeaving,
  elsewhere: ({ audience }: Access, { resource }: Act) => resource !== undefined && !covers(audience, resource),
  scope: (access: Access, { scopes }: Act) => missingScope(access, scopes) !== undefined,
} as const;

export type End = keyof typeof ENDS;

/** Why somebody may not act any more; null: they may. @param access null where nothing is known of it, because it is deleted */
export function endOf(access: Access | null, act: Act): End | null {
  if (!access) return "revoked";
  return (Object.keys(ENDS) as End[]).find((end) => ENDS[end](access, act)) ?? null;
}

/** The first of these scopes that a credential lacks. */
export function missingScope({ credential }: Principal, scopes: readonly Scope[]): Scope | undefined {
  return scopes.find((scope) => !credential.scopes.includes(scope));
}

/** Whoever made something, as long as they may act; for work that goes on without a request. @returns null when they may not */
export async function makerWhoMayAct(
  db: Reader,
  { accountId, maker }: { readonly accountId: string; readonly maker: string },
  act: Act,
): Promise<Principal | null> {
  const access = await accessOfMaker(db, accountId, maker);
  return access && endOf(access, act) === null ? principalIn(access) : null;
}

/** As `makerWhoMayAct`, for work that a refusal ends. @throws Refusal unauthorized, insufficient_scope */
export async function requireMaker(
  db: Reader,
  { accountId, maker }: { readonly accountId: string; readonly maker: string },
  act: Act,
): Promise<Principal> {
  return required(await accessOfMaker(db, accountId, maker), act);
}

/**
 * Asks once more, in the transaction that acts, whether its caller may do so. Nothing ends the access before the transaction is
 * over.
 * @throws Refusal unauthorized, insufficient_scope
 */
export async function requireMayAct(tx: Tx, principal: Principal, act: Act): Promise<void> {
  required(await heldAccess(tx, principal, act.now), act);
}

/** @throws Refusal unauthorized, insufficient_scope */
function required(access: Access | null, act: Act): Principal {
  const end = endOf(access, act);
  if (access && end === null) return principalIn(access);
  if (!access || end !== "scope")
    throw new Refusal("unauthorized", "The credential was revoked or has ended. Nothing was spent or changed.");
  throw lacksScope(missingScope(access, act.scopes)!);
}

/** @throws Refusal insufficient_scope */
export function requireScope(principal: Principal, scope: Scope): void {
  if (missingScope(principal, [scope])) throw lacksScope(scope);
}

function lacksScope(scope: Scope): Refusal {
  const message = `The credential does not have the scope \`${scope}\`. Nothing was spent or changed.`;
  return new Refusal("insufficient_scope", message, { required_scope: scope });
}

/** The caller that an access stands for. */
export function principalIn({ accountId, credential }: Access): Principal {
  return { accountId, credential };
}

/** A browser in which the owner of an account is signed in. */
export interface SignedIn {
  readonly id: string;
  readonly accountId: string;
  readonly browser: string;
}

/** Whoever is signed in at the website, with all scopes: the account is theirs. */
export function principalOfSession({ id, accountId, browser }: SignedIn): Principal {
  return { accountId, credential: personal(id, browser) };
}
