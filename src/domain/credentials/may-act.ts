import type { Reader, Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { type Principal, type Role, SCOPES, type Scope } from "../../platform/principal.ts";
import { allows, type Need } from "../../platform/roles.ts";
import { asSentence } from "../../platform/text.ts";
import { accessOfMaker, heldAccess } from "./access.ts";
import { type Access, personal } from "./access-rows.ts";
import { covers, type Resource } from "./resources.ts";

/** What somebody wants to do. */
export interface Act {
  /** The scopes that it needs. */
  readonly scopes: readonly Scope[];
  /** Where it is done; absent: without a request. */
  readonly resource?: Resource;
  /** Whether it is one of the few things that can be done in an account that will be deleted, such as to keep it. */
  readonly whileLeaving?: boolean;
  /** Whether it may cost credits or money, goes on by itself to do so, or tells engines: a disabled account reads, and no more. */
  readonly spends?: boolean;
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
  disabled: ({ disabledFor }: Access, { spends = false }: Act) => disabledFor !== null && spends,
} as const;

export type End = keyof typeof ENDS;

const IN_ORDER = Object.keys(ENDS) as End[];

/** Why somebody may not act any more; null: they may. @param access null where nothing is known of it, because it is deleted */
export function endOf(access: Access | null, act: Act): End | null {
  if (!access) return "revoked";
  return IN_ORDER.find((end) => ENDS[end](access, act)) ?? null;
}

/** The first of these scopes that a credential lacks. */
export function missingScope({ credential }: Principal, scopes: readonly Scope[]): Scope | undefined {
  return scopes.find((scope) => !credential.scopes.includes(scope));
}

/** What somebody has made. */
interface Made {
  readonly accountId: string;
  /** The id of a credential, or of a person. */
  readonly maker: string;
}

/** Whoever made something, as long as they may act; for work that goes on without a request. @returns why they may not */
export async function makerOrEnd(db: Reader, { accountId, maker }: Made, act: Act): Promise<Principal | End> {
  const access = await accessOfMaker(db, accountId, maker);
  return endOf(access, act) ?? principalIn(access!);
}

/** As `makerOrEnd`. @returns null when they may not */
export async function makerWhoMayAct(db: Reader, made: Made, act: Act): Promise<Principal | null> {
  const found = await makerOrEnd(db, made, act);
  return typeof found === "string" ? null : found;
}

/** As `makerOrEnd`, for work that a refusal ends. @throws Refusal unauthorized, insufficient_scope, spending_limit */
export async function requireMaker(db: Reader, { accountId, maker }: Made, act: Act): Promise<Principal> {
  return required(await accessOfMaker(db, accountId, maker), act);
}

/**
 * Asks once more, in the transaction that acts, whether its caller may do so. Nothing ends the access before the transaction is
 * over.
 * @returns the caller as it is now
 * @throws Refusal unauthorized, insufficient_scope, spending_limit
 */
export async function requireMayAct(tx: Tx, principal: Principal, act: Act): Promise<Principal> {
  return required(await heldAccess(tx, principal, act.now), act);
}

/** @throws Refusal unauthorized, insufficient_scope, spending_limit */
function required(access: Access | null, act: Act): Principal {
  const end = endOf(access, act);
  if (access && end === null) return principalIn(access);
  if (access && end === "disabled") throw disabledRefusal(access.disabledFor!);
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

/** The refusal of what a disabled account may not do. @param needed credits that it costs, where they are known */
export function disabledRefusal(reason: string, needed?: number): Refusal {
  return new Refusal(
    "spending_limit",
    `The operator of this service has disabled the account: ${asSentence(reason)} It can read, and neither spends nor buys credits. Nothing was spent. Ask the operator.`,
    { limit: "account_disabled", ...(needed === undefined ? {} : { needed }), remaining: 0, resets_at: null, reason },
  );
}

/** Asks whether a role allows something. @throws Refusal insufficient_scope */
export function requireRole(role: Role, need: Need): void {
  if (allows(role, need)) return;
  const scope = SCOPES.find((one) => one === need);
  const details = scope ? { required_scope: scope } : {};
  throw new Refusal("insufficient_scope", `Your role in this account, ${role}, does not allow this.`, details);
}

/** The caller that an access stands for. */
export function principalIn({ accountId, personId, role, credential }: Access): Principal {
  return { accountId, personId, role, credential };
}

/** A browser in which a member of an account is signed in. */
export interface SignedIn {
  readonly id: string;
  readonly accountId: string;
  readonly personId: string;
  readonly role: Role;
  readonly browser: string;
}

/** Whoever is signed in at the website. */
export function principalOfSession({ id, browser, ...member }: SignedIn): Principal {
  const { accountId, personId, role } = member;
  return { accountId, personId, role, credential: personal({ id, name: browser, role }) };
}
