import { SUBSCRIBED_TYPES } from "../../../../domain/events/types.ts";
import { logSubscription } from "../../../../domain/subscriptions/security-log.ts";
import {
  deleteSubscriptionOf,
  type SubscriptionRow,
  subscriptionsOfAccount,
} from "../../../../domain/subscriptions/subscriptions.ts";
import { deletePushConfigOf, openPushConfigs } from "../../../../domain/tasks/push-configs.ts";
import { FAILURE_WORDS, type FailureReason } from "../../../../domain/webhooks/attempt.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";

/**
 * What the pages of webhooks show besides the answers of operations: the subscriptions and push configurations of agents, which
 * only their maker knows over MCP and A2A, and failures in words. It is the one file of this folder that reads the domain.
 */

export { SUBSCRIBED_TYPES };

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
