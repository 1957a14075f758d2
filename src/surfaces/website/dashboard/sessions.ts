import { recordEvent } from "../../../domain/auth/events.ts";
import { endSession, endSessions, type Session, sessionsOf } from "../../../domain/users/sessions.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { type Html, html } from "../html.ts";
import type { SiteServices } from "../page-request.ts";
import { PATHS, type Signed, type SignedPost } from "./dashboard-page.ts";
import { distance, when } from "./dates.ts";
import { confirmed, item, items } from "./item-list.ts";

/** The browsers that are signed in: this one is marked, the others can be signed out. */
export function sessionList(visit: Signed, sessions: readonly Session[]): Html {
  const list = items(sessions.map((session) => sessionItem(visit, session)));
  if (sessions.length < 2) return list;
  const step = {
    label: "Sign out everywhere else",
    warning: "All browsers but this one are signed out at once. Keys, apps and agents stay.",
    action: `${PATHS.security}/sessions/end-others`,
    button: "Sign out all other browsers",
  };
  return html`${list}${confirmed(visit, step)}`;
}

/** `POST /dashboard/security/sessions/:id/end` */
export async function endPost(_services: SiteServices, visit: SignedPost): Promise<void> {
  const { ip, now } = visit;
  const { accountId } = visit.session;
  const ended = await visit.act(async (tx) => {
    const session = await endSession(tx, { accountId, id: String(visit.req.params.id) }, now);
    if (session) await recordEvent(tx, { accountId, kind: "session_ended", subject: session.browser, ip, now });
    return session;
  });
  if (!ended) throw new Refusal("not_found", "Your account has no such session. It may have ended already.");
  visit.go(`${PATHS.security}?done=ended`);
}

/** `POST /dashboard/security/sessions/end-others` */
export async function endOthersPost(_services: SiteServices, visit: SignedPost): Promise<void> {
  const { session, ip, now } = visit;
  const { accountId } = session;
  await visit.act(async (tx) => {
    const others = (await sessionsOf(tx, accountId, now)).filter(({ id }) => id !== session.id);
    await endSessions(tx, accountId, now, session.id);
    for (const { browser } of others)
      await recordEvent(tx, { accountId, kind: "session_ended", subject: browser, ip, now });
  });
  visit.go(`${PATHS.security}?done=ended_others`);
}

function sessionItem(visit: Signed, { id, browser, ip, createdAt, lastSeenAt }: Session): Html {
  const isThis = id === visit.session.id;
  const step = {
    label: "Sign out there",
    warning: "That browser has to sign in again.",
    action: `${PATHS.security}/sessions/${id}/end`,
    button: `Sign out ${browser}`,
  };
  const facts = [
    html`Signed in ${when(createdAt)}`,
    html`Last seen ${when(lastSeenAt)} <span class="soft">${distance(lastSeenAt, visit.now)}, from ${ip}</span>`,
  ];
  const title = isThis ? html`${browser} <span class="mark">this browser</span>` : browser;
  return item(title, facts, isThis ? html`` : confirmed(visit, step));
}
