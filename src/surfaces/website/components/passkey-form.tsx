import type { ComponentChildren, VNode } from "preact";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";

interface PasskeyFormProps {
  readonly request: { readonly csrfToken: string };
  /** Whether the browser makes a passkey, or uses one. */
  readonly ceremony: "create" | "get";
  /** Where the browser gets the options of the ceremony, by POST with the fields of the form. */
  readonly optionsPath: string;
  /** Where its result goes, as JSON in the field `passkey`. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly button: string;
  readonly variant?: "quiet" | undefined;
  /** Other fields. */
  readonly children?: ComponentChildren;
}

/** A form that is sent with a passkey. The script `passkey` shows it where the browser can use one. */
export function PasskeyForm(props: PasskeyFormProps): VNode {
  const { request, ceremony, optionsPath, action, hidden = {}, button, variant, children } = props;
  return (
    <Form
      request={request}
      action={action}
      hidden={{ ...hidden, passkey: "" }}
      data={{ "data-passkey": ceremony, "data-options": optionsPath }}
      isHidden
    >
      {children}
      <p class="notice bad" role="alert" data-passkey-message hidden />
      <Button variant={variant}>{button}</Button>
    </Form>
  );
}

/** Says that the browser cannot use passkeys; the script hides it where it can. */
export function PasskeyMissing(): VNode {
  return (
    <p class="soft" data-passkey-missing>
      This browser cannot use passkeys here: that needs JavaScript, a recent browser, and https or localhost.
    </p>
  );
}
