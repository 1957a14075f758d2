import { localPath } from "../../shell/local-path.ts";
import type { PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { SECOND_STEP_PATH, withReturnTo } from "../../shell/return-to.ts";
import { rememberBrowser } from "../domain.ts";

/**
 * Signs the browser in and redirects it. The session that it had before ends, since no cookie refers to it any more.
 * @param secret of a session, or of a sign-in that waits for a factor, which the next page asks for
 */
export async function startSession(
  services: WebsiteServices,
  request: PageRequest,
  secret: string,
  returnTo: string,
): Promise<void> {
  const { db, users } = services;
  const { session } = request;
  if (session) await db.tx((tx) => users.sessions.endSession(tx, session, request.now));
  await setCookiesOf(services, request, secret);
  const isPending = (await users.pendingSignInOf(secret, request.now)) !== null;
  request.redirect(isPending ? withReturnTo(SECOND_STEP_PATH, localPath(returnTo)) : localPath(returnTo));
}

/** Sets the cookie of a session or a pending sign-in; after a whole sign-in also the cookie by which the account knows the browser. */
export async function setCookiesOf({ users }: WebsiteServices, request: PageRequest, secret: string): Promise<void> {
  request.setSessionCookie(secret);
  const session = await users.sessions.sessionOf(secret, request.now);
  if (session) request.setKnownCookie(rememberBrowser(request.known, await users.personById(session.personId)));
}
