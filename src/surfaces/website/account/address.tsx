import type { VNode } from "preact";
import { HOUR } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNT_PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { retryLater } from "../shell/retry-later.ts";
import { LINK_LIFETIME, normaliseEmail, visitorOf } from "../sign-in/domain.ts";
import { addressUndoableUntil } from "./domain.ts";

/** `GET /dashboard/security/address` */
export async function addressPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  if (confirmIdentity(request, { formPage: ACCOUNT_PATHS.address })) await showForm(services, request, {});
}

/** `POST /dashboard/security/address`: the answer is the same whether another account has the address or not. */
export async function addressPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!confirmIdentity(request, { formPage: ACCOUNT_PATHS.address })) return;
  const typed = request.field("email");
  const state = { email: typed };
  if (normaliseEmail(typed) === null) return showForm(services, request, { ...state, problem: NO_ADDRESS }, 400);
  try {
    const { session, now } = request;
    const change = { session, email: typed, visitor: visitorOf(request), now };
    await services.users.requestAddressChange(change);
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.code === "invalid_request")
      return showForm(services, request, { ...state, problem: thrown.message }, 400);
    const { status, headers, text } = retryLater(thrown);
    request.res.set(headers);
    return showForm(services, request, { ...state, message: text }, status);
  }
  request.show(dashboardPage({ section: "profile", title: "Check your new mailbox", body: <SentView /> }));
}

const NO_ADDRESS = "Enter an e-mail address, such as name@example.com.";

interface State {
  readonly email?: string;
  readonly problem?: string;
  readonly message?: string;
}

async function showForm(
  services: WebsiteServices,
  request: SignedInRequest,
  { message, ...state }: State,
  status = 200,
): Promise<void> {
  const until = await addressUndoableUntil(services, request);
  const body = <AddressView request={request} until={until} {...state} />;
  const notice = message && <Notice variant="bad">{message}</Notice>;
  request.show(
    dashboardPage({ section: "profile", title: "Change your e-mail address", message: notice, body }),
    status,
  );
}

interface AddressViewProps extends State {
  readonly request: SignedInRequest;
  /** Until when the last change can be undone. */
  readonly until: number | null;
}

function AddressView({ request, until, email, problem }: AddressViewProps): VNode {
  return (
    <>
      <p>
        Your address is <strong>{request.session.email}</strong>. We send a link to the new one, and tell the present
        one. The address changes when you open the link where you are signed in.
      </p>
      <p>
        For seven days after that, the present address can undo the change. Until then nothing that guards the account
        can be removed, and the account cannot be deleted.
      </p>
      {until !== null && (
        <p>
          The last change can be undone until <Time at={until} />. Changing the address again does not end that.
        </p>
      )}
      <Form request={request} action={ACCOUNT_PATHS.address}>
        <TextField
          name="email"
          label="New e-mail address"
          type="email"
          autocomplete="email"
          value={email}
          problem={problem}
        />
        <Button>Send me a link</Button>
      </Form>
    </>
  );
}

function SentView(): VNode {
  return (
    <>
      <p>
        A message is on its way to the new address. The link in it works for {LINK_LIFETIME / HOUR} hours. Until you
        open it, your address stays as it is.
      </p>
      <p>
        If no message arrives, check your spam folder, and whether you mistyped the address:{" "}
        <a href={ACCOUNT_PATHS.address}>enter it again</a>. We send only a few messages an hour to one address.
      </p>
      <p>This page says the same for every address, so that nobody can find out who has an account.</p>
    </>
  );
}
