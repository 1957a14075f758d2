import { eventsOf, SECURITY_EVENTS, type SecurityEvent } from "../../../domain/auth/events.ts";
import { type Session, sessionsOf } from "../../../domain/users/sessions.ts";
import { type Html, html } from "../html.ts";
import type { SiteServices } from "../page-request.ts";
import { done, frame, PATHS, type Signed } from "./dashboard-page.ts";
import { when } from "./dates.ts";
import { passwordForm } from "./password-form.ts";
import { sessionList } from "./sessions.ts";
import { pageIn, pager, table } from "./table.ts";

const PER_PAGE = 50;

const DONE = {
  ended: "That browser is signed out.",
  ended_others: "All other browsers are signed out.",
  changed: "Your password is changed, and all other browsers are signed out.",
};

/** `/dashboard/security`: who is signed in, the password, and what happened. */
export async function securityPage(services: SiteServices, visit: Signed): Promise<void> {
  await showSecurity(services, visit, { said: done(visit, DONE) });
}

export async function showSecurity(
  { db }: SiteServices,
  visit: Signed,
  { said, status }: { said: Html | null; status?: number },
): Promise<void> {
  const page = pageIn(visit, PER_PAGE);
  const { accountId } = visit.session;
  const [sessions, log]: [Session[], Awaited<ReturnType<typeof eventsOf>>] = await Promise.all([
    sessionsOf(db, accountId, visit.now),
    eventsOf(db, accountId, page),
  ]);
  const body = html`<h2>Where you are signed in</h2>
${sessionList(visit, sessions)}
<h2>Change your password</h2>
${passwordForm(visit)}
<h2 id="log">What happened</h2>
${logTable(log.rows)}
${pager(PATHS.security, {}, page.number, log.hasMore)}`;
  visit.show(frame(visit, { tab: "security", title: "Security", said, body }), status);
}

function logTable(rows: Awaited<ReturnType<typeof eventsOf>>["rows"]): Html {
  if (rows.length === 0) return html`<p>Nothing is written here yet. Sign-ins, keys and connected apps will be.</p>`;
  const cells = rows.map(({ at, kind, subject, ip }) => [
    when(at),
    html`<div class="name">${SECURITY_EVENTS[kind as SecurityEvent] ?? kind}${
      subject === ""
        ? ""
        : html`<br>
<span class="soft">${subject}</span>`
    }</div>`,
    ip ?? "–",
  ]);
  return table("Security log", ["When", "What", "From"], cells);
}
