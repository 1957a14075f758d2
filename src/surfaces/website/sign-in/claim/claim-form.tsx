import type { VNode } from "preact";
import type { Scope } from "../../../../platform/principal.ts";
import { Button } from "../../components/button.tsx";
import { ScopeChoices, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { relativeTime, Time } from "../../components/time.tsx";
import type { Page } from "../../shell/layout.tsx";
import type { PageRequest, Session } from "../../shell/page-request.ts";
import { LimitFields, type TypedTerms } from "../../spending/limit-fields.tsx";
import { AccountLine } from "../account-line.tsx";
import { type RegistrationRow, scopesIn } from "../domain.ts";

/** The page that an agent's link leads to. */
export const CLAIM_PATH = "/claim";

interface ClaimForm {
  readonly registration: RegistrationRow;
  /** The token in the link. */
  readonly attempt: string;
  readonly session: Pick<Session, "name" | "accounts">;
  readonly ticked: readonly Scope[];
  readonly limits: TypedTerms;
  /** What was wrong with the form when it was sent before. */
  readonly problem?: string | undefined;
}

type Request = Pick<PageRequest, "csrfToken" | "now">;

/** Asks the user whether to connect the agent. What the agent says of itself is marked as unverified. */
export function claimPage(request: Request, state: ClaimForm): Page {
  return { title: "Connect an agent - Beckon", forms: [], body: <ClaimView request={request} {...state} /> };
}

function ClaimView({
  request,
  registration,
  attempt,
  session,
  ticked,
  limits,
  problem,
}: ClaimForm & { request: Request }): VNode {
  const { agentName, email, ip, createdAt } = registration;
  const scopes = scopesIn(registration.scopes);
  return (
    <>
      <h1>
        Connect “<bdi>{agentName}</bdi>” to your account?
      </h1>
      {problem !== undefined && <Notice variant="bad">{problem}</Notice>}
      <p class="soft">The agent chose this name itself. We have not verified it.</p>
      <p class="notice bad">
        <strong>Only continue if you started this yourself in the last few minutes.</strong> Never enter a code that
        somebody sent you: it would give them access to your account.
      </p>
      <p>
        It registered {relativeTime(createdAt, request.now)} (<Time at={createdAt} />) from the IP address{" "}
        <code>{ip}</code>.<br />
        Your account: <strong>{email}</strong>
      </p>
      <AccountLine session={session} path={`${CLAIM_PATH}?${new URLSearchParams({ attempt })}`} />
      <Form request={request} action={CLAIM_PATH} hidden={{ attempt }}>
        <ScopeChoices offered={scopes} ticked={ticked} />
        <SpendingNotice scopes={scopes} />
        {scopes.includes("index") && <LimitFields values={limits} />}
        <TextField
          name="user_code"
          label="The code that your agent shows you"
          // Browsers must not fill in a code that came by e-mail or message.
          autocomplete="off"
          maxLength={20}
          hint="6 letters and digits. Case, spaces and dashes make no difference."
          isCode
        />
        <p class="row">
          <Button name="decision" value="allow">
            Allow
          </Button>
          <Button name="decision" value="decline" variant="quiet" skipsValidation>
            Decline
          </Button>
        </p>
      </Form>
    </>
  );
}

/** Says what the agent can spend. */
function SpendingNotice({ scopes }: { scopes: readonly Scope[] }): VNode {
  const spends = scopes.includes("index");
  const buys = scopes.includes("purchase");
  if (!spends && !buys) return <p>It stays connected until you disconnect it.</p>;
  return (
    <p>
      Tick only what it needs: with all of it, it can{" "}
      {spends && (
        <>
          <strong>spend your credits</strong> within the limits below
        </>
      )}
      {spends && buys && " and "}
      {buys && <strong>start purchases</strong>}, until you disconnect it.
    </p>
  );
}
