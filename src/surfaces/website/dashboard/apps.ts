import { disconnect, type GrantRow, grantOf, grantsOf } from "../../../domain/auth/grants.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { type Html, html } from "../html.ts";
import type { SiteServices } from "../page-request.ts";
import { done, frame, PATHS, type Signed, type SignedPost } from "./dashboard-page.ts";
import { when } from "./dates.ts";
import { confirmed, item, items } from "./item-list.ts";
import { agentLines } from "./snippets.ts";
import { lastUsed, mayDo } from "./usage-labels.ts";

const DONE = { disconnected: "Disconnected. It is refused from its next call on." };

/** `/dashboard/apps`: what may act for the account because its owner said so. */
export async function appsPage({ db, config }: SiteServices, visit: Signed): Promise<void> {
  const grants = await grantsOf(db, visit.session.accountId);
  const body =
    grants.length > 0
      ? html`<p>Names are what apps and agents call themselves; nobody has checked them. Disconnect what you do not know.</p>
<h2>Connected now</h2>
${items(grants.map((grant) => grantItem(visit, grant)))}`
      : html`<p>Nothing is connected. An app or an agent that you allow is listed here. To connect
Claude Code:</p>
${agentLines(config.siteUrl)}`;
  visit.show(frame(visit, { tab: "apps", title: "Apps and agents", said: done(visit, DONE), body }));
}

/** `POST /dashboard/apps/:id/disconnect` */
export async function disconnectPost(_services: SiteServices, visit: SignedPost): Promise<void> {
  const { session, ip, now } = visit;
  const grantId = String(visit.req.params.id);
  const isDone = await visit.act(async (tx) => {
    const grant = await grantOf(tx, grantId, session.accountId);
    return grant !== null && (await disconnect(tx, { grantId, by: "owner", ip, now }));
  });
  if (!isDone)
    throw new Refusal("not_found", "Nothing of that kind is connected to your account. It may be gone already.");
  visit.go(`${PATHS.apps}?done=disconnected`);
}

function grantItem(visit: Signed, { id, name, kind, scopes, createdAt, lastUsedAt }: GrantRow): Html {
  const step = {
    label: "Disconnect",
    warning: "It is refused from its next call on, and has to ask you again to come back.",
    action: `${PATHS.apps}/${id}/disconnect`,
    button: `Disconnect ${name}`,
  };
  const facts = [
    html`${kind === "agent" ? "Agent" : "App"}`,
    mayDo(scopesIn(scopes)),
    html`Connected ${when(createdAt)}`,
    lastUsed(lastUsedAt, visit.now),
  ];
  return item(name, facts, confirmed(visit, step));
}
