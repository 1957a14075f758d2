import { endConnection } from "../../../../domain/connections/end.ts";
import { memberOf } from "../../../../domain/people/members.ts";
import {
  beginGoogle,
  type Connected,
  connectBing,
  finishGoogle,
  type GoogleAnswer,
  type Person,
} from "../../../../indexing/connections/connect.ts";
import { revokeEnded } from "../../../../indexing/connections/end.ts";
import { hasRight } from "../../../../platform/roles.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";

/** What only a person changes: the connections to search engines. No operation does. */

function personOf({ session, sessionTx, ip, now }: SignedInRequest): Person {
  const { accountId, personId, id: sessionId } = session;
  return { accountId, personId, sessionId, sessionTx, ip, now };
}

/** @returns the address of Google's consent */
export function askGoogle(services: WebsiteServices, post: SignedInPost, withSitemaps: boolean): Promise<string> {
  return beginGoogle(services, personOf(post), withSitemaps);
}

export function acceptGoogle(
  services: WebsiteServices,
  request: SignedInRequest,
  answer: GoogleAnswer,
): Promise<Connected> {
  return finishGoogle(services, personOf(request), answer);
}

export function saveBingKey(services: WebsiteServices, post: SignedInPost, key: string): Promise<Connected> {
  return connectBing(services, personOf(post), key);
}

/** Only owners end what others have connected. @returns false: the account has no such connection, or it is another's */
export async function disconnect(services: WebsiteServices, post: SignedInPost, id: string): Promise<boolean> {
  const { session, sessionTx, ip, now } = post;
  const { accountId, personId } = session;
  const isEnded = await sessionTx(async (tx) => {
    const role = (await memberOf(tx, session))?.role ?? "viewer";
    const onlyOf = hasRight(role, "owners") ? undefined : personId;
    return endConnection(tx, { accountId, personId, onlyOf, id, ip, now });
  });
  if (isEnded) await revokeEnded(services, accountId);
  return isEnded;
}
