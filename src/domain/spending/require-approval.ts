import type { Tx } from "../../../db/engine.ts";
import { bookedAs, PERSON } from "../../platform/principal.ts";
import { consumeApproval } from "./approvals.ts";
import { ApprovalNeeded, type SpendingPurpose } from "./spend.ts";
import type { Spender } from "./spender.ts";

interface Asked {
  readonly spender: Spender;
  /** For the person who is asked. */
  readonly purpose: Pick<SpendingPurpose, "name" | "description">;
  /** Real time. */
  readonly now: number;
}

/**
 * Uses up the approval of a call that costs nothing and needs one all the same, in the transaction of what it does. A person at the
 * website needs none.
 * @throws ApprovalNeeded
 */
export async function requireApproval(tx: Tx, { spender, purpose, now }: Asked): Promise<void> {
  const { principal, operation } = spender;
  const credential = bookedAs(principal);
  if (credential === PERSON) return;
  // The input says all of what it does.
  const inputHash = spender.inputHash();
  const call = { accountId: principal.accountId, credential, operation, inputHash, digest: inputHash };
  if (await consumeApproval(tx, call, { credits: 0, projectId: null, now })) return;
  const nothingSpent = { sitemap: null, count: 0, hosts: [], otherHosts: 0, urls: [] };
  throw new ApprovalNeeded(0, inputHash, { ...nothingSpent, ...purpose });
}
