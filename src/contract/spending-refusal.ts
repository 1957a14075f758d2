import type { Engine } from "../../db/engine.ts";
import { MAX_OPEN, requestApproval } from "../domain/spending/approvals.ts";
import { ACCOUNT_WIRE_NAMES, MEMBER_WIRE_NAMES, WIRE_NAMES } from "../domain/spending/limits.ts";
import type { ExceededLimit } from "../domain/spending/read.ts";
import { AboveAgreed, ApprovalNeeded, LimitExceeded } from "../domain/spending/spend.ts";
import type { Spender } from "../domain/spending/spender.ts";
import { type Clock, iso } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { Refusal } from "../platform/errors/errors.ts";
import { formatCount } from "../platform/format.ts";
import type { Principal } from "../platform/principal.ts";

/** Pages of the website that refusals lead to. */
export const APPROVALS_PATH = "/dashboard/approvals";
export const CREDENTIALS_PATH = "/dashboard/credentials";
export const PEOPLE_PATH = "/dashboard/people";
export const SPENDING_PATH = "/dashboard/spending";

interface Services {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Config;
}

/**
 * The refusal of a call that its credential may not make, or only with an approval. The account's people are asked for the approval
 * in a separate transaction, because the transaction of the call was rolled back. Any other error is returned as it is. Only a
 * call from a page can be refused because it costs more than the page has shown (`isAboveAgreed`).
 */
export async function spendingRefusal(services: Services, thrown: unknown, spender: Spender): Promise<unknown> {
  if (thrown instanceof AboveAgreed) return agreedRefusal(thrown);
  if (thrown instanceof LimitExceeded) return limitRefusal(services, thrown, spender.principal);
  if (thrown instanceof ApprovalNeeded) return approvalRefusal(services, thrown, spender);
  return thrown;
}

function agreedRefusal({ credits: needed, agreed }: AboveAgreed): Refusal {
  const message = `Costs ${formatCount(needed, "credit")} by now, more than the ${agreed} that were agreed to. Nothing was spent.`;
  return new Refusal("spending_limit", message, { limit: AGREED, needed, remaining: agreed });
}

const AGREED = "agreed";

/** Whether a call of a page was refused because it costs more by now than the page had shown. */
export function isAboveAgreed(thrown: unknown): thrown is Refusal {
  return thrown instanceof Refusal && thrown.code === "spending_limit" && thrown.fields.limit === AGREED;
}

function limitRefusal({ config }: Services, { credits, exceeded }: LimitExceeded, { credential }: Principal): Refusal {
  const limit = { ...WIRE_NAMES, ...ACCOUNT_WIRE_NAMES, ...MEMBER_WIRE_NAMES }[exceeded.limit];
  const { leaves, path } = budgetWords(exceeded, credential);
  const { remaining, resetsAt } = exceeded;
  const wait = resetsAt === null ? "Send fewer URLs" : `Wait until ${iso(resetsAt)}, send fewer URLs`;
  return new Refusal(
    "spending_limit",
    `Needs ${formatCount(credits, "credit")}, and the limit ${limit} ${leaves}. Nothing was spent. ${wait}, or ask a person who manages the account to raise the limit at approval_url.`,
    {
      limit,
      needed: credits,
      remaining,
      resets_at: iso(resetsAt),
      approval_url: `${config.siteUrl}${path}`,
    },
  );
}

/** Whose limit it is, and where it is raised. */
function budgetWords({ limit, remaining }: ExceededLimit, { id }: Principal["credential"]) {
  if (limit in ACCOUNT_WIRE_NAMES)
    return { leaves: `of all keys, apps and agents together leaves ${remaining}`, path: SPENDING_PATH };
  if (limit in MEMBER_WIRE_NAMES) return { leaves: `of the member leaves ${remaining}`, path: PEOPLE_PATH };
  return { leaves: `leaves this credential ${remaining}`, path: `${CREDENTIALS_PATH}/${id}` };
}

async function approvalRefusal(
  { db, clock, config }: Services,
  { credits, digest, purpose }: ApprovalNeeded,
  { principal, operation, inputHash }: Spender,
): Promise<Refusal> {
  const { accountId, credential } = principal;
  const now = clock.now();
  const request = {
    accountId,
    credential: credential.id,
    credentialName: credential.name,
    personId: principal.personId,
    holder: credential.holder,
    operation,
    inputHash: inputHash(),
    digest,
    credits,
    about: JSON.stringify(purpose),
    now,
  };
  const approval = await db.tx((tx) => requestApproval(tx, request), { serializeBy: accountId });
  const url = `${config.siteUrl}${APPROVALS_PATH}`;
  const needs =
    credits > 0
      ? `Needs ${formatCount(credits, "credit")}, which a person has to approve. Nothing was spent.`
      : "A person has to approve this call, which costs nothing. Nothing was done.";
  if (!approval)
    return new Refusal(
      "approval_required",
      `${needs} ${MAX_OPEN} other calls of this credential wait for their approval: no more are asked for until they are decided at approval_url.`,
      { needed: credits, approval_url: url, expires_at: null },
    );
  return new Refusal(
    "approval_required",
    `${needs} Give approval_url to your user, who decides there until expires_at; then repeat exactly this call.`,
    { needed: credits, approval_url: `${url}/${approval.id}`, expires_at: iso(approval.expiresAt) },
  );
}
