import type { ComponentChildren, VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount } from "../../../platform/format.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Item, ItemList } from "../components/item-list.tsx";
import { Time } from "../components/time.tsx";
import { LastUsed, ScopeList } from "../components/usage-labels.tsx";
import { keyPath, PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { hasEnded, listedKeys, revokeKey, scopesIn, USAGE_DAYS } from "./domain.ts";
import { type KeyDraft, KeyForm } from "./key-form.tsx";
import { KeyEnd, RevokeKey } from "./key-parts.tsx";

const DONE = { revoked: "The key is revoked. Programs that use it no longer have access." };

/** `/dashboard/keys`: the keys that are not revoked, and the form to create one. */
export async function keysPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showKeys(services, request, { message: doneMessage(request, DONE) });
}

/** @param draft the values to fill the form with when it is shown again */
export async function showKeys(
  services: WebsiteServices,
  request: SignedInRequest,
  { message, draft, status }: { message: ComponentChildren; draft?: KeyDraft; status?: number },
): Promise<void> {
  const { keys, paid } = await listedKeys(services, request);
  const body = <KeysView {...{ request, keys, paid, draft }} />;
  request.show(dashboardPage({ section: "keys", title: "API keys", message, body }), status);
}

/** `POST /dashboard/keys/:id/revoke` */
export async function revokeKeyPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!(await revokeKey(request, request.param("id"))))
    throw new Refusal("not_found", "Your account has no such active key. It may be revoked already.");
  request.redirect(`${PATHS.keys}?done=revoked`);
}

interface KeysViewProps {
  readonly request: SignedInRequest;
  readonly keys: Awaited<ReturnType<typeof listedKeys>>["keys"];
  readonly paid: boolean;
  readonly draft: KeyDraft | undefined;
}

function KeysView({ request, keys, paid, draft }: KeysViewProps): VNode {
  const active = keys.filter((key) => !hasEnded(key, request.now));
  const ended = keys.filter((key) => hasEnded(key, request.now));
  return (
    <>
      {active.length > 0 && (
        <>
          <h2>Active keys</h2>
          <p>
            {formatCount(active.length, "active key")} of at most {SIZES.activeKeys}.
          </p>
          <KeyList request={request} keys={active} />
        </>
      )}
      {ended.length > 0 && (
        <>
          <h2>Ended keys</h2>
          <p>Their last day is over, so they are refused. Set a later day to use one again, or revoke it.</p>
          <KeyList request={request} keys={ended} />
        </>
      )}
      {keys.length === 0 && (
        <p>You have no API keys yet. Programs and scripts need one; apps and agents that can open a browser do not.</p>
      )}
      <h2>Create a key</h2>
      <KeyForm request={request} paid={paid} active={active.length} draft={draft} />
    </>
  );
}

function KeyList({ request, keys }: Pick<KeysViewProps, "request" | "keys">): VNode {
  return (
    <ItemList>
      {keys.map((key) => (
        <Item
          key={key.id}
          title={
            <>
              <a href={keyPath(key.id)}>{key.name}</a> <code>****{key.ending}</code>
            </>
          }
          facts={[
            <ScopeList key="scopes" scopes={scopesIn(key.scopes)} />,
            <>
              Created <Time at={key.createdAt} />
              {key.expiresAt !== null && (
                <>
                  , <KeyEnd expiresAt={key.expiresAt} now={request.now} />
                </>
              )}
            </>,
            <LastUsed key="used" at={key.lastUsedAt} now={request.now} />,
            <>
              {formatCount(key.calls, "call")} in the last {USAGE_DAYS} days
            </>,
          ]}
        >
          <RevokeKey request={request} apiKey={key} />
        </Item>
      ))}
    </ItemList>
  );
}
