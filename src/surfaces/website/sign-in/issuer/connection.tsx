import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmedAction, Item, ItemList } from "../../components/item-list.tsx";
import { Time } from "../../components/time.tsx";
import { LastUsed } from "../../components/usage-labels.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { ISSUER_PATHS } from "../../shell/return-to.ts";
import type { Issuer } from "../domain.ts";
import { changeBy, mayChange, redirectDone } from "../factors/change.ts";
import { leaveFor } from "./go.tsx";

/** What was done by the forms below, by the query parameter `done` of the security page. */
export const ISSUER_DONE = {
  issuer_connected: "You can sign in by it from now on.",
  issuer_disconnected: "It no longer signs you in.",
};

/** What the section shows; null where there is no issuer. */
export async function issuerState({ users, config }: WebsiteServices, { session }: SignedInRequest) {
  if (!config.issuer) return null;
  const [identity = null] = await users.issuer.identitiesOf(session.personId);
  // There is another way to sign in.
  return { name: config.issuer.name, identity, canDisconnect: config.localSignIn };
}

export type IssuerState = NonNullable<Awaited<ReturnType<typeof issuerState>>>;

/** Whether the issuer signs the person in, and the form to change that. */
export function IssuerSection({ request, ...state }: IssuerState & { readonly request: SignedInRequest }): VNode {
  const { name, identity, canDisconnect } = state;
  return (
    <>
      <h2 id="issuer">Sign in with {name}</h2>
      {identity === null ? (
        <ConnectForm request={request} name={name} />
      ) : (
        <ItemList>
          <Item
            title={`Connected with ${name}`}
            facts={[
              <>
                Since <Time at={identity.createdAt} />
              </>,
              <LastUsed key="used" at={identity.lastUsedAt} now={request.now} />,
            ]}
          >
            {canDisconnect && (
              <ConfirmedAction
                request={request}
                label="Disconnect"
                warning={`${name} no longer signs you in. You need your password, or a link by e-mail.`}
                action={ISSUER_PATHS.disconnect}
                button={`Disconnect ${name}`}
              />
            )}
          </Item>
        </ItemList>
      )}
    </>
  );
}

function ConnectForm({ request, name }: { request: SignedInRequest; name: string }): VNode {
  return (
    <>
      <p>Whoever signs in at {name} as you is then signed in here.</p>
      <Form request={request} action={ISSUER_PATHS.connection}>
        <Button variant="quiet">Connect {name}</Button>
      </Form>
    </>
  );
}

/** `GET /dashboard/security/issuer`: where whoever came by the issuer, and signed in to an account that exists, connects both. */
export async function connectionPage({ config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { name } = config.issuer!;
  if (!confirmIdentity(request, { formPage: ISSUER_PATHS.connection })) return;
  const body = (
    <>
      <p>You are signed in as {request.session.email}.</p>
      <ConnectForm request={request} name={name} />
      <p>
        <a href={PATHS.security}>Not now</a>
      </p>
    </>
  );
  request.show(dashboardPage({ section: "security", title: `Connect ${name}`, body }));
}

/** `POST /dashboard/security/issuer` */
export async function connectPost(services: WebsiteServices, issuer: Issuer, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: ISSUER_PATHS.connection })) return;
  await leaveFor(services, issuer, post, { purpose: "connect", returnTo: `${PATHS.security}?done=issuer_connected` });
}

/** `POST /dashboard/security/issuer/disconnect` */
export async function disconnectPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!mayChange(post)) return;
  const { name } = services.config.issuer!;
  await post.sessionTx((tx) => services.users.issuer.disconnectIssuer(tx, { ...changeBy(post), name }));
  redirectDone(post, "issuer_disconnected");
}
