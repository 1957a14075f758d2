import type { VNode } from "preact";
import { isRecent } from "../../../domain/users/sessions.ts";
import { newId } from "../../../platform/ids.ts";
import { SIZES } from "../../../platform/limits.ts";
import { SCOPES, type Scope } from "../../../platform/principal.ts";
import { Button } from "../components/button.tsx";
import { ScopeChoices, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import type { SignedInRequest } from "../page-request.ts";
import { PATHS } from "./paths.ts";

export const NAME_LENGTH = 120;

export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

interface KeyFormProps {
  readonly request: SignedInRequest;
  readonly paid: boolean;
  /** How many active keys there are. */
  readonly active: number;
  readonly draft: KeyDraft | undefined;
}

/** The form to create a key, or the reason why there is none. */
export function KeyForm({ request, paid, active, draft = { name: "", scopes: SCOPES } }: KeyFormProps): VNode {
  if (!paid)
    return (
      <p>
        You can create keys once you have bought credits. <a href={PATHS.buy}>Buy a pack</a>, then come back here.
      </p>
    );
  if (request.session.verifiedAt === null)
    return (
      <p>
        You can create keys once your e-mail address is confirmed. <a href="/forgot">Request a link by e-mail</a>.
      </p>
    );
  if (active >= SIZES.activeKeys)
    return <p>Your account has {SIZES.activeKeys} active keys, which is the maximum. Revoke one first.</p>;
  if (!isRecent(request.session, request.now))
    return (
      <p>
        A key acts in your name until it is revoked. Before you create one,{" "}
        <a href={`/sign-in?${new URLSearchParams({ return_to: PATHS.keys, again: "1" })}`}>
          {request.session.hasFactor ? "confirm that it is you" : "enter your password again"}
        </a>
        .
      </p>
    );
  // The form carries the id, so that a form that is sent twice creates one key.
  return (
    <Form request={request} action={PATHS.keys} hidden={{ id: newId("key") }}>
      <TextField
        name="name"
        label="Name"
        value={draft.name}
        autocomplete="off"
        maxLength={NAME_LENGTH}
        hint="For example, where the key is used."
      />
      <ScopeChoices offered={SCOPES} ticked={draft.scopes} />
      <Button>Create key</Button>
    </Form>
  );
}
