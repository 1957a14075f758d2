import type { VNode } from "preact";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNT_PATHS } from "../shell/addresses.ts";
import type { SignedInRequest } from "../shell/page-request.ts";
import { ACCOUNT_NAME_LENGTH } from "./reading.ts";

/** What was done on the pages of this folder, by the query parameter `done` of the security page. */
export const ACCOUNT_DONE = {
  kept: "Your account is kept. Keys, apps and agents that ended can be made and connected again.",
  renamed: "Your account has its new name.",
  address_changed: "Your e-mail address is changed. For seven days, the earlier one can undo that.",
};

/** The way to delete the account. */
export function DeletionSection(): VNode {
  return (
    <>
      <h2 id="delete">Delete your account</h2>
      <p>
        It takes seven days, in which you can keep it. <a href={ACCOUNT_PATHS.delete}>See what is deleted</a>
      </p>
    </>
  );
}

/** The name of the account, and the form to change it. */
export function NameSection({ request }: { request: SignedInRequest }): VNode {
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

interface AddressSectionProps {
  readonly request: SignedInRequest;
  /** Until when the last change can be undone; null when it cannot. */
  readonly undoableUntil: number | null;
}

/** The address of the account, and the way to change it. */
export function AddressSection({ request, undoableUntil }: AddressSectionProps): VNode {
  return (
    <>
      <h2 id="address">E-mail address</h2>
      <p>
        <strong>{request.session.email}</strong>. <a href={ACCOUNT_PATHS.address}>Change it</a>
      </p>
      {undoableUntil !== null && (
        <Notice>
          The address was changed lately. Until <Time at={undoableUntil} /> the earlier one can undo that, and nothing
          that guards the account can be removed.
        </Notice>
      )}
    </>
  );
}

/** The way to an export of everything. */
export function ExportSection(): VNode {
  return (
    <>
      <h2 id="export">Your data</h2>
      <p>
        <a href={ACCOUNT_PATHS.export}>Export everything</a> that your account holds, as JSON and CSV.
      </p>
    </>
  );
}
