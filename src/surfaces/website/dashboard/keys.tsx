import type { ComponentChildren, VNode } from "preact";
import { type KeyRow, keysOf, keyTitle, revokeKeyOf } from "../../../domain/accounts/keys.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount } from "../../../platform/format.ts";
import { SIZES } from "../../../platform/limits.ts";
import { ConfirmedAction, Item, ItemList } from "../components/item-list.tsx";
import { Time } from "../components/time.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage, doneMessage } from "./dashboard-page.tsx";
import { type KeyDraft, KeyForm } from "./key-form.tsx";
import { PATHS } from "./paths.ts";
import { LastUsed, ScopeList } from "./usage-labels.tsx";

const DONE = { revoked: "The key is revoked. Programs that use it no longer have access." };

/** `/dashboard/keys`: the active keys, and the form to create one. */
export async function keysPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showKeys(services, request, { message: doneMessage(request, DONE) });
}

/** @param draft the values to fill the form with when it is shown again */
export async function showKeys(
  { db }: WebsiteServices,
  request: SignedInRequest,
  { message, draft, status }: { message: ComponentChildren; draft?: KeyDraft; status?: number },
): Promise<void> {
  const { accountId } = request.session;
  const [keys, paid] = await Promise.all([keysOf(db, accountId), isPaid(db, accountId)]);
  const body = <KeysView {...{ request, keys, paid, draft }} />;
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

interface KeysViewProps {
  readonly request: SignedInRequest;
  readonly keys: readonly KeyRow[];
  readonly paid: boolean;
  readonly draft: KeyDraft | undefined;
}

function KeysView({ request, keys, paid, draft }: KeysViewProps): VNode {
  return (
    <>
      {keys.length > 0 ? (
        <>
          <h2>Active keys</h2>
          <p>
            {formatCount(keys.length, "active key")} of at most {SIZES.activeKeys}.
          </p>
          <ItemList>
            {keys.map((key) => (
              <KeyItem key={key.id} request={request} apiKey={key} />
            ))}
          </ItemList>
        </>
      ) : (
        <p>You have no API keys yet. Programs and scripts need one; apps and agents that can open a browser do not.</p>
      )}
      <h2>Create a key</h2>
      <KeyForm request={request} paid={paid} active={keys.length} draft={draft} />
    </>
  );
}

function KeyItem({ request, apiKey }: { request: SignedInRequest; apiKey: KeyRow }): VNode {
  const { id, name, ending, scopes, createdAt, lastUsedAt } = apiKey;
  return (
    <Item
      title={
        <>
          {name} <code>****{ending}</code>
        </>
      }
      facts={[
        <ScopeList key="scopes" scopes={scopesIn(scopes)} />,
        <>
          Created <Time at={createdAt} />
        </>,
        <LastUsed key="used" at={lastUsedAt} now={request.now} />,
      ]}
    >
      <ConfirmedAction
        request={request}
        label="Revoke"
        warning="Programs that use this key lose access at once. This cannot be undone."
        action={`${PATHS.keys}/${id}/revoke`}
        button={`Revoke ${keyTitle(apiKey)}`}
      />
    </Item>
  );
}
