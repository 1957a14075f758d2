import type { VNode } from "preact";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { SignedInRequest } from "../shell/page-request.ts";

/** A hidden field has the e-mail address, so that password managers know which account the password belongs to. */
export function PasswordForm({ request }: { request: SignedInRequest }): VNode {
  const password = { type: "password", maxLength: 1_024 } as const;
  return (
    <Form request={request} action={`${PATHS.security}/password`}>
      <input type="text" name="username" autocomplete="username" value={request.session.email} hidden />
      <TextField {...password} name="current" label="Current password" autocomplete="current-password" />
      <TextField
        {...password}
        name="password"
        label="New password"
        autocomplete="new-password"
        hint="At least 10 characters. All other browsers are signed out when you change it."
      />
      <Button>Change password</Button>
    </Form>
  );
}
