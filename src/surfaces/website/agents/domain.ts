import { callsByDay, callsOfKeys, type DayOfCalls, USAGE_DAYS } from "../../../domain/calls/key-usage.ts";
import { approvalsNow } from "../../../domain/credentials/ended-askers.ts";
import { endAfterDay, lastDayOf } from "../../../domain/credentials/key-end.ts";
import {
  changeKeyOf,
  changeLimitsOfKey,
  createKeyOnce,
  hasEnded,
  type KeyChange,
  type KeyRow,
  keyOfAccount,
  keysOf,
  keyTitle,
  revokeKeyOf,
} from "../../../domain/credentials/keys.ts";
import { requireMayApprove } from "../../../domain/credentials/own-askers.ts";
import { scopesIn } from "../../../domain/credentials/scopes.ts";
import { SUBSCRIBED_TYPES } from "../../../domain/events/types.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { keyAdded } from "../../../domain/mail/templates/key-added.ts";
import {
  type Connection,
  changeTerms,
  connectionOfGrant,
  connectionsOf,
  disconnect,
} from "../../../domain/oauth/connections.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { namesOfPeople, personWords } from "../../../domain/people/words.ts";
import { recordSecurityEvent } from "../../../domain/security-log/security-log.ts";
import {
  type ApprovalRow,
  approvalOf,
  approvalsOf,
  decideApproval,
  statusOf,
} from "../../../domain/spending/approvals.ts";
import { type BudgetRow, budgetOf } from "../../../domain/spending/budgets.ts";
import { credentialsOf } from "../../../domain/spending/credentials.ts";
import { type DayOfSpending, spendingByDay } from "../../../domain/spending/history.ts";
import { NO_LIMITS } from "../../../domain/spending/limits.ts";
import { type Spending, spendingOf } from "../../../domain/spending/read.ts";
import type { SpendingPurpose } from "../../../domain/spending/spend.ts";
import { narrowingOf } from "../../../domain/subscriptions/narrowing.ts";
import { logSubscription } from "../../../domain/subscriptions/security-log.ts";
import {
  deleteSubscriptionOf,
  type SubscriptionRow,
  subscriptionsOfAccount,
} from "../../../domain/subscriptions/subscriptions.ts";
import { deletePushConfigOf, openPushConfigs } from "../../../domain/tasks/push-configs.ts";
import { taskWaitingFor } from "../../../domain/tasks/waiting.ts";
import { FAILURE_WORDS, type FailureReason } from "../../../domain/webhooks/attempt.ts";
import { formatCount } from "../../../platform/format.ts";
import { hasRight } from "../../../platform/roles.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/**
 * What the pages of keys, apps, agents and approvals take of the domain. Programs cannot ask for most of it: what acts for an
 * account is not told what else does. What only a person changes is changed here, so that nothing that acts for an account can
 * give itself more; each change is a transaction in which the session is checked again.
 */

export type { ApprovalRow, BudgetRow, Connection, DayOfCalls, DayOfSpending, KeyRow, Spending, SpendingPurpose };
export { endAfterDay, hasEnded, keyTitle, lastDayOf, NO_LIMITS, SUBSCRIBED_TYPES, scopesIn, statusOf, USAGE_DAYS };

/** A key of the account, also one that has ended; null: it has none with this id, or it is revoked. */
export async function keyWithId({ db }: WebsiteServices, { session }: SignedInRequest, id: string) {
  return keyOfAccount(db, session.accountId, id);
}

/** The keys that are not revoked, each with its calls in the last 30 days, and whether the account may create one. */
export async function listedKeys({ db }: WebsiteServices, { session: { accountId }, now }: SignedInRequest) {
  const [rows, calls, paid] = await Promise.all([
    keysOf(db, accountId),
    callsOfKeys(db, accountId, now),
    isPaid(db, accountId),
  ]);
  return { keys: rows.map((row) => ({ ...row, calls: calls.get(row.id) ?? 0 })), paid };
}

/** The apps and agents that are connected now. */
export function connectedApps({ db }: WebsiteServices, { session, now }: SignedInRequest): Promise<Connection[]> {
  return connectionsOf(db, session.accountId, now);
}

/** The app or agent that a grant belongs to; null: the account has none. */
export async function appWithGrant({ db }: WebsiteServices, { session, now }: SignedInRequest, grantId: string) {
  return connectionOfGrant(db, session.accountId, { grantId, now });
}

/** What a key, or all connections of an app or agent, may spend and have done. @param holder whose budget it is */
export async function useOf(
  { db }: WebsiteServices,
  { session: { accountId }, now }: SignedInRequest,
  { credential, holder }: { readonly credential: string; readonly holder: string },
) {
  const budget = await budgetOf(db, { accountId, holder });
  const credentials = await credentialsOf(db, accountId, credential);
  const [calls, days] = await Promise.all([
    callsByDay(db, credentials, now),
    spendingByDay(db, { accountId, credentials, days: USAGE_DAYS, now }),
  ]);
  return { budget, calls, days, spending: spendingOf(budget, now) };
}

/** The latest calls that need, or needed, the yes of the account's person. */
export async function listedApprovals({ db }: WebsiteServices, { session, now }: SignedInRequest, most: number) {
  const approvals = await approvalsNow(db, await approvalsOf(db, session.accountId, most), now);
  const people = await namesOfPeople(
    db,
    session,
    approvals.flatMap(({ personId, decidedBy }) => [personId, decidedBy]),
  );
  return { approvals, people };
}

/** A call that needs approval, with what its caller has spent; null: the account has none with this id. */
export async function approvalWithId({ db }: WebsiteServices, { session, now }: SignedInRequest, id: string) {
  const { accountId } = session;
  const found = await approvalOf(db, accountId, id);
  if (!found) return null;
  const approval = (await approvalsNow(db, [found], now))[0]!;
  const [balance, budget, task] = await Promise.all([
    balanceOf(db, accountId),
    budgetOf(db, { accountId, holder: approval.holder }),
    taskWaitingFor(db, accountId, approval.id),
  ]);
  const askedFor = await personWords(db, session, approval.personId);
  const decidedBy = await personWords(db, session, approval.decidedBy);
  return { approval, askedFor, decidedBy, balance, spending: spendingOf(budget, now), isMadeByTask: task !== null };
}

/** What a call would do. */
export function purposeOf({ about }: ApprovalRow): SpendingPurpose {
  return JSON.parse(about);
}

type Terms = Parameters<typeof changeTerms>[2]["terms"];
type Limits = Parameters<typeof changeLimitsOfKey>[2]["limits"];
type NewKey = Required<Pick<Parameters<typeof createKeyOnce>[1], "id" | "name" | "scopes" | "expiresAt" | "limits">>;

/** @returns the key, or why there is none: the form has created one already, there are too many, or it is not allowed yet */
export async function createKey(
  { config, mailer }: WebsiteServices,
  { session, sessionTx, ip, now }: SignedInPost,
  key: NewKey,
) {
  const { accountId, personId } = session;
  return sessionTx(async (tx) => {
    if (session.verifiedAt === null || !(await isPaid(tx, accountId))) return "not_allowed" as const;
    const outcome = await createKeyOnce(tx, { ...key, accountId, personId, mode: config.mode, ip, now });
    if (outcome !== "exists" && outcome !== "full") {
      const { name, scopes } = key;
      await mailer.queue(tx, keyAdded(session.email, { name, scopes, siteUrl: config.siteUrl }));
    }
    return outcome;
  });
}

export function changeKey(
  { session, sessionTx, ip, now }: SignedInPost,
  keyId: string,
  change: Pick<KeyChange, "name" | "expiresAt">,
) {
  return sessionTx((tx) =>
    changeKeyOf(tx, session.accountId, { ...change, keyId, personId: session.personId, ip, now }),
  );
}

/** @returns false: the account has no such key */
export function changeKeyLimits({ session, sessionTx, ip, now }: SignedInPost, keyId: string, limits: Limits) {
  return sessionTx((tx) =>
    changeLimitsOfKey(tx, session.accountId, { keyId, limits, personId: session.personId, ip, now }),
  );
}

/** @returns false: the account has no such key */
export function revokeKey({ session, sessionTx, ip, now }: SignedInPost, keyId: string) {
  return sessionTx((tx) => revokeKeyOf(tx, session.accountId, { keyId, personId: session.personId, ip, now }));
}

/** @returns false: the account has no such app or agent */
export function changeAppTerms({ session, sessionTx, ip, now }: SignedInPost, grantId: string, terms: Terms) {
  return sessionTx((tx) => changeTerms(tx, session.accountId, { grantId, terms, personId: session.personId, ip, now }));
}

/** Whoever may not change keys ends only what they have connected. @returns false: the account has no such app or agent */
export function disconnectApp(
  { session: { accountId, personId, role }, sessionTx, ip, now }: SignedInPost,
  grantId: string,
) {
  const onlyOf = hasRight(role, "keys") ? undefined : personId;
  return sessionTx((tx) => disconnect(tx, accountId, { grantId, onlyOf, personId, ip, now }));
}

/** Says yes or no to a call. @returns whether it was decided now, and whether a task makes the call at once */
export function decide({ session, sessionTx, ip, now }: SignedInPost, id: string, isApproved: boolean) {
  const { accountId, personId } = session;
  return sessionTx(async (tx) => {
    const approval = await approvalOf(tx, accountId, id);
    const [current] = await approvalsNow(tx, approval ? [approval] : [], now);
    if (current?.status === "ended") return { outcome: "over" as const, isMadeNow: false };
    if (approval && isApproved) await requireMayApprove(tx, session, approval.credential);
    const outcome = await decideApproval(tx, accountId, { id, personId, isApproved, now });
    const isMadeNow = isApproved && (await taskWaitingFor(tx, accountId, id)) !== null;
    if (outcome === "decided") {
      const kind = isApproved ? "approval_given" : "approval_refused";
      const subject = `${approval!.credentialName}: ${approval!.operation}, ${formatCount(approval!.credits, "credit")}`;
      await recordSecurityEvent(tx, { accountId, personId, kind, subject, target: id, ip, now });
    }
    return { outcome, isMadeNow };
  });
}

export type PushConfig = Awaited<ReturnType<typeof openPushConfigs>>[number];

export async function pushConfigsOf({ db }: WebsiteServices, { session }: SignedInRequest): Promise<PushConfig[]> {
  return openPushConfigs(db, session.accountId);
}

export type Subscription = SubscriptionRow;

export async function subscriptionsOf(
  { db, clock }: WebsiteServices,
  { session }: SignedInRequest,
): Promise<Subscription[]> {
  return subscriptionsOfAccount(db, session.accountId, clock.now());
}

/** The ids of what a subscription is about; none where it is about the whole account. */
export function idsOf(subscription: Subscription): string[] {
  return Object.values(narrowingOf(subscription)).filter((id) => id !== undefined);
}

/** @returns false: the account has none with this id */
export function endSubscription({ session, sessionTx, now }: SignedInPost, id: string): Promise<boolean> {
  const { accountId, personId } = session;
  return sessionTx(async (tx) => {
    const row = await deleteSubscriptionOf(tx, accountId, id);
    if (row) await logSubscription(tx, "subscription_ended", row, { doer: { personId, credential: null }, now });
    return row !== null;
  });
}

/** @returns false: the account has none with this id */
export function deletePushConfig({ session, sessionTx }: SignedInPost, id: string): Promise<boolean> {
  return sessionTx((tx) => deletePushConfigOf(tx, session.accountId, id));
}

/** What a failed attempt was, as a sentence. @param reason as the API says it */
export function failureWords(reason: string): string {
  return FAILURE_WORDS[reason as FailureReason] ?? "It failed.";
}
