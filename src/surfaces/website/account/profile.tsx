import type { ComponentChildren, VNode } from "preact";
import { aboutRole } from "../../../platform/roles.ts";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNT_PATHS, ACCOUNTS_PATH } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { ACCOUNT_NAME_LENGTH, addressUndoableUntil } from "./domain.ts";

const DONE = {
  kept: "Your account is kept. Keys, apps and agents that ended can be made and connected again.",
  renamed: "Your account has its new name.",
  address_changed: "Your e-mail address is changed. For seven days, the earlier one can undo that.",
};

/** `/dashboard/profile`: who is signed in, to which account, and in which zone times are shown. */
export async function profilePage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showProfile(services, request, { message: doneMessage(request, DONE) });
}

export async function showProfile(
  services: WebsiteServices,
  request: SignedInRequest,
  { message, status }: { message: ComponentChildren; status?: number },
): Promise<void> {
  const { email, role } = request.session;
  const undoableUntil = await addressUndoableUntil(services, request);
  const body = (
    <>
      <h2 id="address">E-mail address</h2>
      <p>
        <strong>{email}</strong>. <a href={ACCOUNT_PATHS.address}>Change it</a>
      </p>
      {undoableUntil !== null && (
        <Notice>
          The address was changed lately. Until <Time at={undoableUntil} /> the earlier one can undo that, and nothing
          that guards the account can be removed.
        </Notice>
      )}
      <NameForm request={request} />
      <h2>Role</h2>
      <p>
        Your role in this account: {role}. {aboutRole(role)}. <a href={ACCOUNTS_PATH}>Your accounts</a>
      </p>
      <h2>Times</h2>
      <p>
        Pages show times in the time zone of your browser, with UTC after it. It is now <Time at={request.now} />.
      </p>
    </>
  );
  request.show(dashboardPage({ section: "profile", title: "Profile", message, body }), status);
}

/** The name of the account, and the form to change it. */
function NameForm({ request }: { request: SignedInRequest }): VNode {
  return (
    <>
      <h2 id="name-of-account">Name</h2>
      <Form request={request} action={ACCOUNT_PATHS.name}>
        <TextField
          name="name"
          label="Name of the account"
          value={request.session.name}
          autocomplete="organization"
          maxLength={2 * ACCOUNT_NAME_LENGTH}
          hint="Pages show it next to your address, and agents that you connect can read it."
        />
        <Button variant="quiet">Change the name</Button>
      </Form>
    </>
  );
}
