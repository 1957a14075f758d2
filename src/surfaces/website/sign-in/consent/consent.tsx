import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { ScopeChoices } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import type { Page } from "../../shell/layout.tsx";
import type { PageRequest, Session } from "../../shell/page-request.ts";
import { LimitFields, type TypedTerms } from "../../spending/limit-fields.tsx";
import { AccountLine } from "../account-line.tsx";
import { type AuthorizationRequest, isDocumentUrl, isLoopbackRedirect, redirectLabel } from "../domain.ts";

/** The authorization endpoint (RFC 6749 section 3.1). */
export const AUTHORIZE_PATH = "/oauth/authorize";

interface Consent {
  readonly authRequest: AuthorizationRequest;
  readonly session: Pick<Session, "email" | "name" | "accounts">;
  /** The request of the app, URL-encoded, which the form carries. */
  readonly text: string;
  /** The path of this page, with the request. */
  readonly path: string;
  readonly limits: TypedTerms;
  /** What was wrong with the form when it was sent before. */
  readonly problem?: string | undefined;
}

type Request = Pick<PageRequest, "csrfToken">;

/** Asks the user whether to connect the app. What the app says of itself is marked as unverified. */
export function consentPage(request: Request, consent: Consent): Page {
  return {
    title: "Connect an app - Beckon",
    forms: [],
    body: <ConsentView request={request} {...consent} />,
  };
}

function ConsentView({
  request,
  authRequest,
  session,
  text,
  path,
  limits,
  problem,
}: Consent & { request: Request }): VNode {
  const { client, redirectUri, requestedScopes, preselectedScopes } = authRequest;
  return (
    <>
      <h1>
        Connect “<bdi>{client.name}</bdi>” to your account?
      </h1>
      {problem !== undefined && <Notice variant="bad">{problem}</Notice>}
      <p class="soft">The app chose this name itself. We have not verified it.</p>
      <RedirectNotice redirectUri={redirectUri} />
      {isDocumentUrl(client.id) && (
        <p>
          The app is described by a document at{" "}
          <strong>
            <code>{new URL(client.id).host}</code>
          </strong>
          .
        </p>
      )}
      <p>
        Your account: <strong>{session.email}</strong>{" "}
        <a href={`/sign-out?${new URLSearchParams({ return_to: path })}`}>Not you?</a>
      </p>
      <AccountLine session={session} path={path} />
      <Form request={request} action={AUTHORIZE_PATH} hidden={{ request: text }}>
        <ScopeChoices offered={requestedScopes} ticked={preselectedScopes} />
        {requestedScopes.includes("index") && <LimitFields values={limits} />}
        <p class="hint">
          Tick what the app may do. It stays connected until you disconnect it in your{" "}
          <a href="/dashboard">dashboard</a>.
        </p>
        <p class="row">
          <Button name="decision" value="allow">
            Allow
          </Button>
          <Button name="decision" value="deny" variant="quiet">
            Decline
          </Button>
        </p>
      </Form>
    </>
  );
}

/** Says where the answer goes: the whole address, with its host or scheme in bold. */
function RedirectNotice({ redirectUri }: { redirectUri: string }): VNode {
  const label = redirectLabel(redirectUri);
  // A host in other letters, or an IPv6 address in another form, is not found: then the whole address is bold.
  const at = redirectUri.indexOf(label);
  const [before, bold] = at < 0 ? ["", redirectUri] : [redirectUri.slice(0, at), label];
  const host = (
    <code>
      {before}
      <strong>{bold}</strong>
      {redirectUri.slice(before.length + bold.length)}
    </code>
  );
  if (isLoopbackRedirect(redirectUri))
    return (
      <Notice variant="bad">
        You will be sent back to {host}, a program on this computer. Any program on it can ask for this, so allow it
        only if you have just started connecting one yourself.
      </Notice>
    );
  if (redirectUri.startsWith("https:"))
    return <p>You will be sent back to {host}. Allow it only if that is where you came from.</p>;
  return (
    <p>
      You will be sent back to the app on this device that opens {host}. Allow it only if you have just started
      connecting it yourself.
    </p>
  );
}
