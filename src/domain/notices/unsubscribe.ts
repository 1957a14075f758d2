import { type SealedField, type SecretBox, Unsealable } from "../../platform/secret-box.ts";
import { isNoticeKind, type NoticeKind } from "../mail/layout/notice-kinds.ts";

/** The page on which a notice can be switched off, without a sign-in, by whoever has the mail. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";

interface Subscription {
  readonly accountId: string;
  readonly kind: NoticeKind;
}

/** The address that switches a kind of notices off for an account, and can do nothing else. */
export function unsubscribeUrl(
  { siteUrl, secretBox }: { readonly siteUrl: string; readonly secretBox: SecretBox },
  { accountId, kind }: Subscription,
): string {
  return `${siteUrl}${UNSUBSCRIBE_PATH}?token=${secretBox.seal(`${kind} ${accountId}`, FIELD)}`;
}

/** @returns null for a token that is not ours, or whose key is not used any more */
export function subscriptionOf(secretBox: SecretBox, token: string): Subscription | null {
  try {
    const [kind = "", accountId = ""] = secretBox.open(token, FIELD).split(" ");
    return isNoticeKind(kind) ? { accountId, kind } : null;
  } catch (thrown) {
    if (thrown instanceof Unsealable) return null;
    throw thrown;
  }
}

/** It stands in no row: it is the associated data of tokens, so that no other sealed text is one. */
const FIELD: SealedField = { table: "notices_off", row: "any", column: "unsubscribe" };
