import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { bookedAs, OPERATOR, PERSON, type Scope } from "../../platform/principal.ts";
import { requireMayAct } from "../credentials/may-act.ts";
import { type Posting, post } from "../ledger/ledger.ts";
import { consumeApproval } from "./approvals.ts";
import { budgetOf, spendBudgets } from "./budgets.ts";
import { holdersOf, kindOfHolder } from "./holder.ts";
import { type ExceededLimit, exceededLimit, spendingOf } from "./read.ts";
import type { Spender } from "./spender.ts";

/** What a call would do, for the person who is asked to approve it. */
export interface SpendingPurpose {
  readonly name: string;
  readonly description: string;
  /** The sitemap that its URLs were read from; null: none. */
  readonly sitemap: string | null;
  readonly count: number;
  /** The hosts with the most of its URLs. */
  readonly hosts: readonly { readonly host: string; readonly urls: number }[];
  /** Its other hosts. */
  readonly otherHosts: number;
  /** The first of its URLs. */
  readonly urls: readonly string[];
}

/** A spend that does not fit into the limits of its credential. Nothing was changed. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded";
  readonly credits: number;
  readonly exceeded: ExceededLimit;

  constructor(credits: number, exceeded: ExceededLimit) {
    super(`a spend of ${credits} credits exceeds the limit ${exceeded.limit}`);
    this.credits = credits;
    this.exceeded = exceeded;
  }
}

/** A spend that costs more than its credential may spend without a person's yes. Nothing was changed. */
export class ApprovalNeeded extends Error {
  override readonly name = "ApprovalNeeded";
  readonly credits: number;
  /** SHA-256 of what the call would do. */
  readonly digest: string;
  readonly purpose: SpendingPurpose;

  constructor(credits: number, digest: string, purpose: SpendingPurpose) {
    super(`a spend of ${credits} credits needs an approval`);
    this.credits = credits;
    this.digest = digest;
    this.purpose = purpose;
  }
}

/** A spend that costs more than the page showed whose button was pressed. Nothing was changed. */
export class AboveAgreed extends Error {
  override readonly name = "AboveAgreed";
  readonly credits: number;
  readonly agreed: number;

  constructor(credits: number, agreed: number) {
    super(`a spend of ${credits} credits exceeds the ${agreed} that were agreed to`);
    this.credits = credits;
    this.agreed = agreed;
  }
}

/** What one project costs. */
export interface Cost {
  /** Positive. */
  readonly credits: number;
  readonly projectId: string;
  readonly description: string;
}

interface Spend {
  readonly accountId: string;
  /** Real time. */
  readonly now: number;
  /** At least one. Together they are one spend: all limits and the approval are for their sum. */
  readonly costs: readonly [Cost, ...Cost[]];
  /** Absent: the operator, whom no budget limits. */
  readonly spender: Spender | undefined;
  /** SHA-256 of all that it is for: an approval is for this alone. */
  readonly digest: () => string;
  /** For the person who is asked to approve it. */
  readonly purpose: () => SpendingPurpose;
}

/** The scopes that spending needs. */
const SPENDING: readonly Scope[] = ["index"];

/**
 * Spends credits, in the caller's transaction: they must be no more than a page has shown, the balance must cover them, whoever
 * spends may still do so, the limits of its budget, of the account's and of its person's must allow them, and where they need an
 * approval, one is used up. No other function spends.
 *
 * @returns the balance after it
 * @throws Refusal insufficient_credits, unauthorized, insufficient_scope, unavailable
 * @throws LimitExceeded
 * @throws ApprovalNeeded
 * @throws AboveAgreed
 */
export async function spendCredits(
  tx: Tx,
  { accountId, now, costs, spender, digest, purpose }: Spend,
): Promise<number> {
  const credits = costs.reduce((sum, cost) => sum + cost.credits, 0);
  const agreed = spender?.agreed?.credits ?? Number.POSITIVE_INFINITY;
  if (credits > agreed) throw new AboveAgreed(credits, agreed);
  const credential = spender ? bookedAs(spender.principal) : OPERATOR;
  const personId = spender?.principal.personId ?? null;
  // This comes first, because it locks the account's row: what follows waits for nobody.
  const balance = await postAll(tx, costs, { accountId, now, credential, personId });
  if (!spender) return balance;
  const [{ projectId }] = costs;
  const acting = await requireMayAct(tx, spender.principal, { scopes: SPENDING, spends: true, now });
  if (acting.personId !== personId) throw handedOver();
  const holders = holdersOf(spender.principal);
  const spent = await spendBudgets(tx, { accountId, holders, credits, now });
  for (const holder of holders)
    if (!spent.has(holder)) throw await limitExceeded(tx, { accountId, holder, credits, now });
  if (credential === PERSON) return balance;
  const budget = spent.get(spender.principal.credential.holder)!;
  if (budget.approveAbove === null || credits <= budget.approveAbove) return balance;
  const { operation, inputHash } = spender;
  const call = { accountId, credential, operation, inputHash: inputHash(), digest: digest() };
  if (await consumeApproval(tx, call, { credits, projectId, now })) return balance;
  throw new ApprovalNeeded(credits, call.digest, purpose());
}

function handedOver(): Refusal {
  const message = "The credential was handed over to another member just now. Nothing was spent. Call again.";
  return new Refusal("unavailable", message, {}, { "Retry-After": "1" });
}

/** Books an entry for each project. @returns the balance after the last one */
async function postAll(
  tx: Tx,
  costs: Spend["costs"],
  booking: Pick<Posting, "accountId" | "now" | "credential" | "personId">,
): Promise<number> {
  let balance = 0;
  let besides = costs.reduce((sum, { credits }) => sum + credits, 0);
  for (const { credits, projectId, description } of costs) {
    besides -= credits;
    const entry = { projectId, description, source: projectId, credits: -credits, besides };
    balance = await post(tx, { ...booking, kind: "spend", ...entry });
  }
  return balance;
}

/** With the limit of a budget that a spend does not fit into. */
async function limitExceeded(
  tx: Tx,
  { credits, now, ...key }: { accountId: string; holder: string; credits: number; now: number },
): Promise<LimitExceeded> {
  const spending = spendingOf(await budgetOf(tx, key), now);
  return new LimitExceeded(credits, exceededLimit(spending, credits, kindOfHolder(key.holder))!);
}
