import { disconnect, type GrantRow, grantOf, grantsOf } from "../../../domain/auth/grants.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { type Html, html } from "../html.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage, doneMessage } from "./dashboard-page.ts";
import { timeElement } from "./dates.ts";
import { itemList, listItem, withConfirmation } from "./item-list.ts";
import { PATHS } from "./paths.ts";
import { mcpOauthSnippet } from "./snippets.ts";
import { lastUsed, scopeList } from "./usage-labels.ts";

const DONE = { disconnected: "Disconnected. It is refused from its next call on." };

/** `/dashboard/apps`: what may act for the account because its owner allowed it. */
export async function appsPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const grants = await grantsOf(db, request.session.accountId);
  const body =
    grants.length > 0
      ? html`<p>Names are what apps and agents call themselves; nobody has checked them. Disconnect what you do not know.</p>
<h2>Connected now</h2>
${itemList(grants.map((grant) => grantItem(request, grant)))}`
      : html`<p>Nothing is connected. An app or an agent that you allow is listed here. To connect
Claude Code:</p>
${mcpOauthSnippet(config.siteUrl)}`;
  request.show(
    dashboardPage(request, { tab: "apps", title: "Apps and agents", message: doneMessage(request, DONE), body }),
  );
}

/** `POST /dashboard/apps/:id/disconnect` */
export async function disconnectPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const { session, ip, now } = request;
  const grantId = request.param("id");
  const isDone = await request.sessionTx(async (tx) => {
    const grant = await grantOf(tx, grantId, session.accountId);
    return grant !== null && (await disconnect(tx, { grantId, by: "owner", ip, now }));
  });
  if (!isDone)
    throw new Refusal("not_found", "Nothing of that kind is connected to your account. It may be gone already.");
  request.redirect(`${PATHS.apps}?done=disconnected`);
}

function grantItem(request: SignedInRequest, { id, name, kind, scopes, createdAt, lastUsedAt }: GrantRow): Html {
  const step = {
    label: "Disconnect",
    warning: "It is refused from its next call on, and has to ask you again to come back.",
    action: `${PATHS.apps}/${id}/disconnect`,
    button: `Disconnect ${name}`,
  };
  const facts = [
    html`${kind === "agent" ? "Agent" : "App"}`,
    scopeList(scopesIn(scopes)),
    html`Connected ${timeElement(createdAt)}`,
    lastUsed(lastUsedAt, request.now),
  ];
  return listItem(name, facts, withConfirmation(request, step));
}
