import { hashOf } from "../../../domain/auth/secrets.ts";
import { endSession } from "../../../domain/users/sessions.ts";
import type { UserServices, Visitor } from "../../../domain/users/users.ts";
import { localPath } from "../local-path.ts";
import type { PageRequest, WebsiteServices } from "../page-request.ts";

export function userServicesOf({ db, mailer, config }: WebsiteServices): UserServices {
  return { db, mailer, siteUrl: config.siteUrl };
}

export function visitorOf({ ip, browser, secret }: PageRequest): Visitor {
  return { ip, browser, hash: hashOf(secret) };
}

/** Signs the browser in and redirects it. The session that it had before ends, since no cookie refers to it any more. */
export async function startSession(
  { db }: WebsiteServices,
  request: PageRequest,
  secret: string,
  returnTo: string,
): Promise<void> {
  const { session } = request;
  if (session) await db.tx((tx) => endSession(tx, session, request.now));
  request.setSessionCookie(secret);
  request.redirect(localPath(returnTo));
}
