import type { VNode } from "preact";
import { SECURITY_EVENTS, type SecurityEvent, securityEventsOf } from "../../../domain/auth/events.ts";
import { type Session, sessionsOf } from "../../../domain/users/sessions.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage, doneMessage } from "./dashboard-page.tsx";
import { timeElement } from "./dates.ts";
import { passwordForm } from "./password-form.ts";
import { PATHS } from "./paths.ts";
import { sessionList } from "./sessions.ts";
import { pagination, requestedPage, table } from "./table.ts";

const PER_PAGE = 50;

const DONE = {
  ended: "That browser is signed out.",
  ended_others: "All other browsers are signed out.",
  changed: "Your password was changed. All other browsers are signed out.",
};

/** `/dashboard/security`: the sessions, the password and the security log. */
export async function securityPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showSecurity(services, request, { message: doneMessage(request, DONE) });
}

export async function showSecurity(
  { db }: WebsiteServices,
  request: SignedInRequest,
  { message, status }: { message: Html | VNode | null; status?: number },
): Promise<void> {
  const page = requestedPage(request, PER_PAGE);
  const { accountId } = request.session;
  const [sessions, log]: [Session[], Awaited<ReturnType<typeof securityEventsOf>>] = await Promise.all([
    sessionsOf(db, accountId, request.now),
    securityEventsOf(db, accountId, page),
  ]);
  const body = html`<h2>Where you are signed in</h2>
${sessionList(request, sessions)}
<h2>Change your password</h2>
${passwordForm(request)}
<h2 id="log">Security log</h2>
${logTable(log.rows)}
${pagination(PATHS.security, {}, page.number, log.hasMore)}`;
  request.show(dashboardPage({ section: "security", title: "Security", message, body }), status);
}

function logTable(rows: Awaited<ReturnType<typeof securityEventsOf>>["rows"]): Html {
  if (rows.length === 0) return html`<p>Nothing here yet. Sign-ins, keys and connected apps are listed here.</p>`;
  const cells = rows.map(({ at, kind, subject, ip }) => [
    timeElement(at),
    html`<div class="name">${SECURITY_EVENTS[kind as SecurityEvent] ?? kind}${
      subject === ""
        ? ""
        : html`<br>
<span class="soft">${subject}</span>`
    }</div>`,
    ip ?? "–",
  ]);
  return table("Security log", ["Time", "Event", "IP address"], cells);
}
