import { type GrantRow, grantOf, grantsOf, revokeGrant } from "../../../domain/auth/grants.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { type Html, html } from "../html.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage, doneMessage } from "./dashboard-page.tsx";
import { timeElement } from "./dates.ts";
import { itemList, listItem, withConfirmation } from "./item-list.ts";
import { PATHS } from "./paths.ts";
import { mcpOauthSnippet } from "./snippets.ts";
import { lastUsed, scopeList } from "./usage-labels.ts";

const DONE = { disconnected: "Disconnected. It no longer has access." };

/** `/dashboard/apps`: the apps and agents that the owner of the account has allowed. */
export async function appsPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const grants = await grantsOf(db, request.session.accountId);
  const body =
    grants.length > 0
      ? html`<p>Apps and agents choose their names themselves; we have not verified them. Disconnect any that you do not know.</p>
<h2>Connected now</h2>
${itemList(grants.map((grant) => grantItem(request, grant)))}`
      : html`<p>Nothing is connected. Apps and agents appear here once you have allowed them. To connect
Claude Code:</p>
${mcpOauthSnippet(config.siteUrl)}`;
  request.show(dashboardPage({ section: "apps", title: "Apps and agents", message: doneMessage(request, DONE), body }));
}

/** `POST /dashboard/apps/:id/disconnect` */
export async function disconnectPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const { session, ip, now } = request;
  const grantId = request.param("id");
  const isDone = await request.sessionTx(async (tx) => {
    const grant = await grantOf(tx, grantId, session.accountId);
    return grant !== null && (await revokeGrant(tx, { grantId, by: "owner", ip, now }));
  });
  if (!isDone) throw new Refusal("not_found", "Your account has no such app or agent. It may be disconnected already.");
  request.redirect(`${PATHS.apps}?done=disconnected`);
}

function grantItem(request: SignedInRequest, { id, name, kind, scopes, createdAt, lastUsedAt }: GrantRow): Html {
  const step = {
    label: "Disconnect",
    warning: "It loses access at once, and has to ask you again to reconnect.",
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
