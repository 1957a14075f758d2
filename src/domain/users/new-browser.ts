import { and, eq, gt } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { HOUR } from "../../platform/clock.ts";
import { tryConsumeLimit } from "../limits/window.ts";
import { signedInByNewBrowser } from "../mail/templates/signed-in-by-new-browser.ts";
import { personById } from "../people/people.ts";
import { knownBrowserOf } from "./known-browsers.ts";
import type { UserServices, Visitor } from "./users.ts";

/**
 * Tells a person of a sign-in by mail, in the transaction that opens its session, unless the browser is known. A person
 * without a password knows no browsers, and is told of none. Signing up opens a session too, but not by this way.
 */
export async function tellOfNewBrowser(
  tx: Tx,
  { mailer, siteUrl }: Pick<UserServices, "mailer" | "siteUrl">,
  { personId, visitor, now }: { personId: string; visitor: Visitor; now: number },
): Promise<void> {
  const person = await personById(tx, personId);
  const { browser } = visitor;
  if (person.passwordHash === null || knownBrowserOf(visitor.known, person) !== null) return;
  if (await hasJustSetPassword(tx, personId, visitor, now)) return;
  if (!(await tryConsumeLimit(tx, personId, "new_browser_notices", now))) return;
  await mailer.queue(tx, signedInByNewBrowser(person.email, { browser, at: now, siteUrl }));
}

/**
 * Whether this browser has set a new password in the last hour, of which its owner was told: a new password makes all
 * browsers unknown, and the second step of this sign-in may have come after it.
 */
async function hasJustSetPassword(tx: Tx, personId: string, { browser, ip }: Visitor, now: number): Promise<boolean> {
  const { securityEvents: events } = tx.t;
  const rows = await tx.q
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.personId, personId),
        eq(events.kind, "password_set"),
        eq(events.subject, browser),
        eq(events.ip, ip),
        gt(events.at, now - HOUR),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
