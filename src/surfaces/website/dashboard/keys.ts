import type { VNode } from "preact";
import { type KeyRow, keysOf, keyTitle, revokeKeyOf } from "../../../domain/accounts/keys.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount } from "../../../platform/format.ts";
import { SIZES } from "../../../platform/limits.ts";
import { type Html, html } from "../html.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage, doneMessage } from "./dashboard-page.tsx";
import { timeElement } from "./dates.ts";
import { itemList, listItem, withConfirmation } from "./item-list.ts";
import { type KeyDraft, keyForm } from "./key-form.ts";
import { PATHS } from "./paths.ts";
import { lastUsed, scopeList } from "./usage-labels.ts";

const DONE = { revoked: "The key is revoked. Programs that use it no longer have access." };

/** `/dashboard/keys`: the active keys, and the form to create one. */
export async function keysPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showKeys(services, request, { message: doneMessage(request, DONE) });
}

/** @param draft the values to fill the form with when it is shown again */
export async function showKeys(
  { db }: WebsiteServices,
  request: SignedInRequest,
  { message, draft, status }: { message: Html | VNode | null; draft?: KeyDraft; status?: number },
): Promise<void> {
  const { accountId } = request.session;
  const [keys, paid] = await Promise.all([keysOf(db, accountId), isPaid(db, accountId)]);
  const list =
    keys.length > 0
      ? html`<h2>Active keys</h2>
<p>${formatCount(keys.length, "active key")} of at most ${SIZES.activeKeys}.</p>
${itemList(keys.map((key) => keyItem(request, key)))}`
      : html`<p>You have no API keys yet. Programs and scripts need one; apps and agents that can open a browser do not.</p>`;
  const body = html`${list}
<h2>Create a key</h2>
${keyForm(request, { paid, active: keys.length, draft })}`;
  request.show(dashboardPage({ section: "keys", title: "API keys", message, body }), status);
}

/** `POST /dashboard/keys/:id/revoke` */
export async function revokeKeyPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const { ip, now } = request;
  const keyId = request.param("id");
  const isRevoked = await request.sessionTx((tx) => revokeKeyOf(tx, request.session.accountId, { keyId, ip, now }));
  if (!isRevoked) throw new Refusal("not_found", "Your account has no such active key. It may be revoked already.");
  request.redirect(`${PATHS.keys}?done=revoked`);
}

function keyItem(request: SignedInRequest, key: KeyRow): Html {
  const title = keyTitle(key);
  const step = {
    label: "Revoke",
    warning: "Programs that use this key lose access at once. This cannot be undone.",
    action: `${PATHS.keys}/${key.id}/revoke`,
    button: `Revoke ${title}`,
  };
  const facts = [
    scopeList(scopesIn(key.scopes)),
    html`Created ${timeElement(key.createdAt)}`,
    lastUsed(key.lastUsedAt, request.now),
  ];
  return listItem(html`${key.name} <code>****${key.ending}</code>`, facts, withConfirmation(request, step));
}
