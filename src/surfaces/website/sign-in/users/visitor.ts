import { hashOf } from "../../../../domain/credentials/secrets.ts";
import { personById } from "../../../../domain/people/people.ts";
import { rememberBrowser } from "../../../../domain/users/known-browsers.ts";
import { pendingSignInOf } from "../../../../domain/users/pending-sign-ins.ts";
import { endSession, sessionOf } from "../../../../domain/users/sessions.ts";
import type { UserServices, Visitor } from "../../../../domain/users/users.ts";
import { secretBoxOf } from "../../../../platform/config/secrets-key.ts";
import { localPath } from "../../shell/local-path.ts";
import type { PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { SECOND_STEP_PATH, withReturnTo } from "../../shell/return-to.ts";

export function userServicesOf({ db, mailer, config }: WebsiteServices): UserServices {
  const { siteUrl, signUp, localSignIn } = config;
  return { db, mailer, siteUrl, signUp, localSignIn, secretBox: secretBoxOf(config) };
}

export function visitorOf({ ip, browser, secret, known }: PageRequest): Visitor {
  return { ip, browser, hash: hashOf(secret), known };
}

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
  const { db } = services;
  const { session } = request;
  if (session) await db.tx((tx) => endSession(tx, session, request.now));
  await setCookiesOf(services, request, secret);
  const isPending = (await pendingSignInOf(db, secret, request.now)) !== null;
  request.redirect(isPending ? withReturnTo(SECOND_STEP_PATH, localPath(returnTo)) : localPath(returnTo));
}

/** Sets the cookie of a session or a pending sign-in; after a whole sign-in also the cookie by which the account knows the browser. */
export async function setCookiesOf({ db }: WebsiteServices, request: PageRequest, secret: string): Promise<void> {
  request.setSessionCookie(secret);
  const session = await sessionOf(db, secret, request.now);
  if (session) request.setKnownCookie(rememberBrowser(request.known, await personById(db, session.personId)));
}
