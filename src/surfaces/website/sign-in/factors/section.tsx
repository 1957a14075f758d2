import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmedAction, Item, ItemList } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { LastUsed } from "../../components/usage-labels.tsx";
import { FACTOR_PATHS } from "../../shell/addresses.ts";
import type { SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import { RECOVERY_CODES, relyingPartyFor } from "../domain.ts";

/** What was done by the forms below, by the query parameter `done` of the page. */
export const FACTORS_DONE = {
  passkey_added: "The passkey is added. You can sign in with it.",
  passkey_renamed: "The passkey has its new name.",
  passkey_removed: "The passkey is removed. It no longer signs in.",
  app_added: "The authenticator app is added. Signing in with your password asks for its code.",
  app_removed: "The authenticator app is removed.",
  second_step_on: "Signing in with your password now asks for a passkey or a code too.",
  second_step_off: "Your password alone signs in now.",
  removal_cancelled: "The removal is cancelled. Your passkeys and codes stay.",
};

/** What the section shows. */
export type FactorsState = Awaited<ReturnType<typeof factorsState>>;

export async function factorsState(services: WebsiteServices, request: SignedInRequest) {
  const { users, config } = services;
  const { session, now } = request;
  const own = await users.factors.ownFactors(session.personId, now);
  const canUsePasskeys = relyingPartyFor(services, request) !== null;
  return { ...own, canUsePasskeys, siteUrl: config.siteUrl };
}

type SectionProps = FactorsState & { readonly request: SignedInRequest };

/** What an account has besides its password, and the forms to change it. */
export function FactorsSection(props: SectionProps): VNode {
  const { request, passkeys, app, removal, heldUntil, canUsePasskeys, siteUrl } = props;
  const hasFactor = passkeys.length > 0 || app !== null;
  return (
    <>
      <h2 id="factors">Passkeys and codes</h2>
      {removal && <RemovalUnderWay request={request} removal={removal} />}
      {hasFactor && heldUntil !== null && (
        <Notice>
          Until <Time at={heldUntil} /> nothing here can be removed: the change of your e-mail address can be undone.
        </Notice>
      )}
      {!hasFactor && (
        <p>
          Your password alone guards this account, and what it can spend. Add a passkey or an authenticator app: before
          keys are made or agents connected, we then ask for it.
        </p>
      )}
      {hasFactor && (
        <ItemList>
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} request={request} passkey={passkey} isHeld={heldUntil !== null} />
          ))}
          {app && <AppItem request={request} app={app} isHeld={heldUntil !== null} />}
        </ItemList>
      )}
      {canUsePasskeys ? (
        <p>
          <a href={FACTOR_PATHS.newPasskey}>Add a passkey</a>
        </p>
      ) : (
        <NoPasskeysHere siteUrl={siteUrl} />
      )}
      {!app && (
        <p>
          <a href={FACTOR_PATHS.newApp}>Add an authenticator app</a>
        </p>
      )}
      {hasFactor && <SecondStep {...props} />}
      {hasFactor && <RecoveryCodes {...props} />}
    </>
  );
}

/** Why there are no passkeys at this address. */
export function NoPasskeysHere({ siteUrl }: Pick<FactorsState, "siteUrl">): VNode {
  const { port } = new URL(siteUrl);
  const address = `http://localhost${port ? `:${port}` : ""}`;
  const isLoopback = new URL(siteUrl).hostname.startsWith("127.");
  return (
    <p class="soft">
      Passkeys can be neither added nor used at this address: a passkey belongs to a name, and this address is a number.
      {isLoopback && (
        <>
          {" "}
          To try them, open <a href={`${address}/dashboard/security`}>{address}</a> and sign in there.
        </>
      )}
    </p>
  );
}

type Removal = NonNullable<FactorsState["removal"]>;

function RemovalUnderWay({ request, removal }: { request: SignedInRequest; removal: Removal }): VNode {
  return (
    <>
      <p class="notice bad" role="alert">
        All passkeys, the app and the recovery codes will be removed on <Time at={removal.dueAt} />, as somebody who
        knows the password requested.
      </p>
      <Form request={request} action={FACTOR_PATHS.cancelRemoval}>
        <Button variant="bad">Cancel the removal</Button>
      </Form>
    </>
  );
}

interface FactorItemProps {
  readonly request: SignedInRequest;
  /** It cannot be removed now. */
  readonly isHeld: boolean;
}

type Passkey = FactorsState["passkeys"][number];

function PasskeyItem({ request, passkey, isHeld }: FactorItemProps & { passkey: Passkey }): VNode {
  const { id, name, createdAt, lastUsedAt, isBackedUp } = passkey;
  return (
    <Item
      title={
        <>
          {name} <span class="mark">passkey</span>
        </>
      }
      facts={[
        <>
          Added <Time at={createdAt} />
          {isBackedUp ? ", synchronised to your other devices" : ", on one device only"}
        </>,
        <LastUsed key="used" at={lastUsedAt} now={request.now} />,
      ]}
    >
      <details>
        <summary>Rename</summary>
        <Form request={request} action={`${FACTOR_PATHS.passkeys}/${id}/rename`}>
          <TextField name="name" id={`name-${id}`} label="Name" value={name} autocomplete="off" maxLength={60} />
          <Button variant="quiet small">Rename {name}</Button>
        </Form>
      </details>
      {!isHeld && (
        <ConfirmedAction
          request={request}
          label="Remove"
          warning="It no longer signs in. Remove it from your device too."
          action={`${FACTOR_PATHS.passkeys}/${id}/remove`}
          button={`Remove ${name}`}
        />
      )}
    </Item>
  );
}

type App = NonNullable<FactorsState["app"]>;

function AppItem({ request, app, isHeld }: FactorItemProps & { app: App }): VNode {
  return (
    <Item
      title="Authenticator app"
      facts={[
        <>
          Added <Time at={app.createdAt} />
        </>,
        <LastUsed key="used" at={app.lastUsedAt} now={request.now} />,
      ]}
    >
      {!isHeld && (
        <ConfirmedAction
          request={request}
          label="Remove"
          warning="Its codes are no longer accepted."
          action={FACTOR_PATHS.removeApp}
          button="Remove the authenticator app"
        />
      )}
    </Item>
  );
}

function SecondStep({ request, isRequired, heldUntil }: SectionProps): VNode {
  return (
    <>
      <h3>Signing in with the password</h3>
      <p>
        {isRequired
          ? "After the password, we ask for a passkey or a code."
          : "The password alone signs in. We ask for a passkey or a code only before keys are made, agents are connected, or this page is changed."}
      </p>
      {!(isRequired && heldUntil !== null) && (
        <Form request={request} action={FACTOR_PATHS.secondStep} hidden={{ required: isRequired ? "no" : "yes" }}>
          <Button variant="quiet small">
            {isRequired ? "Let the password alone sign in" : "Ask for it at every sign-in"}
          </Button>
        </Form>
      )}
    </>
  );
}

function RecoveryCodes({ recoveryCodes, heldUntil }: SectionProps): VNode {
  return (
    <>
      <h3>Recovery codes</h3>
      <p>
        {recoveryCodes} of {RECOVERY_CODES} are unused. Each lets you in once, if you lose everything above.
      </p>
      {heldUntil === null && (
        <p>
          <a href={FACTOR_PATHS.recoveryCodes}>Make new recovery codes</a>
        </p>
      )}
    </>
  );
}
