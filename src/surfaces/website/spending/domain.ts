import type { Reader } from "../../../../db/engine.ts";
import { endAfterDay, lastDayOf } from "../../../domain/credentials/key-end.ts";
import type { BudgetRow } from "../../../domain/spending/budgets.ts";
import { credentialsOf } from "../../../domain/spending/credentials.ts";
import { type KnownSpender, knownSpenders } from "../../../domain/spending/known-spenders.ts";
import {
  LIMIT_NAMES,
  MAX_LIMIT,
  NO_LIMITS,
  parseLimit,
  type SpendingLimits,
  SUGGESTED_LIMITS,
  WIRE_NAMES,
} from "../../../domain/spending/limits.ts";
import { OPERATOR, PERSON } from "../../../platform/principal.ts";
import { typedIn } from "../shell/form-fields.tsx";
import type { FormPost, SignedInRequest } from "../shell/page-request.ts";
import { LIMIT_FIELDS, limitProblem, TERM_FIELDS, type TypedLimits, type TypedTerms } from "./limit-fields.tsx";

/** What the forms of limits and the filter of lists show and read of what keys, apps and agents may spend. */

/** Limits as the fields of a form show them. */
export function typedLimits(limits: SpendingLimits): TypedLimits {
  const typed = LIMIT_NAMES.map((name) => [WIRE_NAMES[name], limits[name] === null ? "" : String(limits[name])]);
  return Object.fromEntries(typed) as TypedLimits;
}

/** What the form of an app or agent shows first: the limits that it has already, or the limits that we suggest. */
export function firstTerms(budget: BudgetRow | null, now: number): TypedTerms {
  const end = budget?.expiresAt ?? null;
  return typedTerms(budget ? limitsOf(budget) : SUGGESTED_LIMITS, end !== null && end > now ? end : null);
}

export function typedTerms(limits: SpendingLimits, expiresAt: number | null): TypedTerms {
  return { ...typedLimits(limits), last_day: expiresAt === null ? "" : lastDayOf(expiresAt) };
}

export function limitsOf(budget: BudgetRow | null): SpendingLimits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, budget?.[name] ?? null])) as unknown as SpendingLimits;
}

/** The limits in a form that was sent. `problem`: what is wrong with them; `typed`: to show it again. */
export function limitsIn(post: FormPost): {
  readonly limits: SpendingLimits;
  readonly typed: TypedLimits;
  readonly problem: string | null;
} {
  const typed = typedIn(LIMIT_FIELDS, post);
  const limits: { -readonly [name in keyof SpendingLimits]: number | null } = { ...NO_LIMITS };
  let problem: string | null = null;
  for (const name of LIMIT_NAMES) {
    const limit = parseLimit(typed[WIRE_NAMES[name]]);
    if (limit === undefined) problem = limitProblem(MAX_LIMIT);
    else limits[name] = limit;
  }
  return { limits, typed, problem };
}

/** The limits and the last day in the form of an app or agent. */
export function termsIn(post: FormPost): {
  readonly terms: SpendingLimits & { readonly expiresAt: number | null };
  readonly typed: TypedTerms;
  readonly problem: string | null;
} {
  const { limits, problem } = limitsIn(post);
  const typed = typedIn(TERM_FIELDS, post);
  const lastDay = typed.last_day;
  const expiresAt = lastDay === "" ? null : endAfterDay(lastDay, post.now);
  const dayProblem =
    lastDay !== "" && expiresAt === null ? "The last day is today or later, and at most ten years away." : null;
  return { terms: { ...limits, expiresAt }, typed, problem: problem ?? dayProblem };
}

/** Name of the parameter, in the address of a page as in the operations that it shows. */
export const PARAMETER = "credential_id";

/** The key, app or agent that the address asks for, and all that it may ask for. */
export interface SpenderQuery {
  readonly known: readonly KnownSpender[];
  /** One of `known`, PERSON, OPERATOR, or "" for anybody. */
  readonly chosen: string;
  /** The ids that rows of the choice name; null: rows of anybody. */
  readonly credentials: readonly string[] | null;
  /** What is wrong with the address, for a reader; null when nothing is. */
  readonly problem: string | null;
}

/** Reads the filter out of an address. Any connection of an app stands for all of them. */
export async function spenderQuery(db: Reader, request: SignedInRequest): Promise<SpenderQuery> {
  const { accountId } = request.session;
  const known = await knownSpenders(db, accountId);
  const wanted = request.query(PARAMETER);
  if (wanted === "") return { known, chosen: "", credentials: null, problem: null };
  const credentials = await credentialsOf(db, accountId, wanted);
  const choices = [PERSON, OPERATOR, ...known.map(({ id }) => id)];
  const chosen = choices.find((id) => credentials.includes(id));
  if (chosen !== undefined) return { known, chosen, credentials, problem: null };
  const problem = "Your account has no such key, app or agent; this shows the rows of all.";
  return { known, chosen: "", credentials: null, problem };
}
