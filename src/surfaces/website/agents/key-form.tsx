import type { VNode } from "preact";
import { newId } from "../../../platform/ids.ts";
import { SCOPES, type Scope } from "../../../platform/principal.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { codePoints, hasControl } from "../../../platform/text.ts";
import { Button } from "../components/button.tsx";
import { ScopeChoices, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { PATHS } from "../shell/addresses.ts";
import { BuyLink, useIsSelling } from "../shell/deployment.tsx";
import { isIdentityFresh, type SignedInRequest } from "../shell/page-request.ts";
import { typedLimits } from "../spending/domain.ts";
import { LimitFields, type TypedLimits } from "../spending/limit-fields.tsx";
import { endAfterDay, NO_LIMITS } from "./domain.ts";

export const NAME_LENGTH = 120;

export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Its last day, as YYYY-MM-DD; "" for none. */
  readonly lastDay: string;
  readonly limits: TypedLimits;
}

interface KeyFormProps {
  readonly request: SignedInRequest;
  readonly paid: boolean;
  /** How many active keys there are. */
  readonly active: number;
  readonly draft: KeyDraft | undefined;
}

/** The form to create a key, or the reason why there is none. */
export function KeyForm({
  request,
  paid,
  active,
  draft = { name: "", scopes: SCOPES, lastDay: "", limits: typedLimits(NO_LIMITS) },
}: KeyFormProps): VNode {
  const isSelling = useIsSelling();
  if (!paid)
    return (
      <p>
        You can create keys once you have {isSelling ? "bought" : "been granted"} credits. <BuyLink>Buy a pack</BuyLink>
        , then come back here.
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
  if (!isIdentityFresh(request))
    return (
      <p>
        A key acts in your name until it is revoked. Before you create one,{" "}
        <ConfirmFirst request={request} returnTo={PATHS.keys} />.
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
      <LimitFields values={draft.limits} />
      <LastDayField value={draft.lastDay} />
      <Button>Create key</Button>
    </Form>
  );
}

/** The field for the last day of a key. */
export function LastDayField({ value }: { value: string }): VNode {
  return (
    <TextField
      name="last_day"
      label="Last day (optional)"
      type="date"
      value={value}
      autocomplete="off"
      isOptional
      hint="The last day (UTC) on which the key works. Leave it empty to use the key until you revoke it."
    />
  );
}

/** A link to the page on which users prove again who they are, and which leads back. */
export function ConfirmFirst({ request, returnTo }: { request: SignedInRequest; returnTo: string }): VNode {
  return (
    <a href={`/sign-in?${new URLSearchParams({ return_to: returnTo, again: "1" })}`}>
      {request.session.hasFactor ? "confirm that it is you" : "enter your password again"}
    </a>
  );
}

/** What is wrong with the name of a key; null: nothing. */
export function nameProblem(name: string): string | null {
  if (name === "") return "Give the key a name.";
  if (codePoints(name) <= NAME_LENGTH && !hasControl(name)) return null;
  return `A name may have at most ${NAME_LENGTH} characters, and no control characters.`;
}

/** The end of a key whose last day was typed; null: none was. @returns a text that says what is wrong */
export function endOf(lastDay: string, now: number): number | null | string {
  if (lastDay === "") return null;
  return endAfterDay(lastDay, now) ?? "The last day of a key is today or later, and at most ten years away.";
}
