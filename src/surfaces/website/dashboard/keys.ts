import { type KeyRow, keysOf, revokeKeyOf, titleOf } from "../../../domain/accounts/keys.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { SIZES } from "../../../platform/limits.ts";
import { type Html, html } from "../html.ts";
import type { SiteServices } from "../page-request.ts";
import { done, frame, PATHS, type Signed, type SignedPost } from "./dashboard-page.ts";
import { counted, when } from "./dates.ts";
import { confirmed, item, items } from "./item-list.ts";
import { type Draft, keyForm } from "./key-form.ts";
import { lastUsed, mayDo } from "./usage-labels.ts";

const DONE = { revoked: "The key is revoked. What used it is refused from its next call on." };

/** `/dashboard/keys`: the keys there are, and the form for one more. */
export async function keysPage(services: SiteServices, visit: Signed): Promise<void> {
  await showKeys(services, visit, { said: done(visit, DONE) });
}

/** @param draft what was filled in, where the form is shown again */
export async function showKeys(
  { db }: SiteServices,
  visit: Signed,
  { said, draft, status }: { said: Html | null; draft?: Draft; status?: number },
): Promise<void> {
  const { accountId } = visit.session;
  const [keys, paid] = await Promise.all([keysOf(db, accountId), isPaid(db, accountId)]);
  const list =
    keys.length > 0
      ? html`<h2>Active keys</h2>
<p>${counted(keys.length, "active key")} of at most ${SIZES.activeKeys}.</p>
${items(keys.map((key) => keyItem(visit, key)))}`
      : html`<p>There is no key yet. Programs and scripts use one; apps and agents that open a browser need none.</p>`;
  const body = html`${list}
<h2>New key</h2>
${keyForm(visit, { paid, active: keys.length, draft })}`;
  visit.show(frame(visit, { tab: "keys", title: "API keys", said, body }), status);
}

/** `POST /dashboard/keys/:id/revoke` */
export async function revokePost(_services: SiteServices, visit: SignedPost): Promise<void> {
  const { ip, now } = visit;
  const keyId = String(visit.req.params.id);
  const isRevoked = await visit.act((tx) => revokeKeyOf(tx, visit.session.accountId, { keyId, ip, now }));
  if (!isRevoked) throw new Refusal("not_found", "Your account has no such active key. It may be revoked already.");
  visit.go(`${PATHS.keys}?done=revoked`);
}

function keyItem(visit: Signed, key: KeyRow): Html {
  const title = titleOf(key);
  const step = {
    label: "Revoke",
    warning: "Whatever uses this key is refused from its next call on. This cannot be taken back.",
    action: `${PATHS.keys}/${key.id}/revoke`,
    button: `Revoke ${title}`,
  };
  const facts = [
    mayDo(scopesIn(key.scopes)),
    html`Created ${when(key.createdAt)}`,
    lastUsed(key.lastUsedAt, visit.now),
  ];
  return item(html`${key.name} <code>****${key.ending}</code>`, facts, confirmed(visit, step));
}
