import { approvalsNow } from "../../../domain/credentials/ended-askers.ts";
import {
  changeKeyOf,
  changeLimitsOfKey,
  createKeyOnce,
  type KeyChange,
  revokeKeyOf,
} from "../../../domain/credentials/keys.ts";
import { requireMayApprove } from "../../../domain/credentials/own-askers.ts";
import { keyAdded } from "../../../domain/mail/templates/key-added.ts";
import { changeTerms, disconnect } from "../../../domain/oauth/connections.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { recordSecurityEvent } from "../../../domain/security-log/security-log.ts";
import { approvalOf, decideApproval } from "../../../domain/spending/approvals.ts";
import { taskWaitingFor } from "../../../domain/tasks/waiting.ts";
import { formatCount } from "../../../platform/format.ts";
import { hasRight } from "../../../platform/roles.ts";
import type { SignedInPost, WebsiteServices } from "../shell/page-request.ts";

/**
 * What only a person changes: keys, apps, agents and their limits, and the yes to a call. No operation does it, so that nothing
 * that acts for an account can give itself more. Each is a transaction in which the session is checked again.
 */

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
