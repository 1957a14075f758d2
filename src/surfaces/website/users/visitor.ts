import { hashOf } from "../../../domain/auth/secrets.ts";
import { endSession } from "../../../domain/users/sessions.ts";
import type { People, Visitor } from "../../../domain/users/users.ts";
import { localPath } from "../local-path.ts";
import type { SiteServices, Visit } from "../page-request.ts";

export function peopleOf({ db, mailer, config }: SiteServices): People {
  return { db, mailer, siteUrl: config.siteUrl };
}

export function visitorOf({ ip, browser, secret }: Visit): Visitor {
  return { ip, browser, hash: hashOf(secret) };
}

/** Takes the browser into a session, and on. The one it had before ends: nothing holds its secret any more. */
export async function enter({ db }: SiteServices, visit: Visit, secret: string, returnTo: string): Promise<void> {
  const { session } = visit;
  if (session) await db.tx((tx) => endSession(tx, session, visit.now));
  visit.enter(secret);
  visit.go(localPath(returnTo));
}
