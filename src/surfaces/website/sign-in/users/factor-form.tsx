import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { PasskeyForm } from "../../components/passkey-form.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { PASSKEY_OPTIONS_PATH } from "../../shell/return-to.ts";
import type { FactorProof, Factors } from "../domain.ts";
import { requireRelyingParty } from "../domain.ts";

interface FactorFormProps {
  readonly request: PageRequest;
  readonly factors: Factors;
  /** Whether passkeys can be used at this address. */
  readonly canUsePasskeys: boolean;
  readonly action: string;
  readonly returnTo: string;
  readonly problem?: string | undefined;
}

/** Asks for a passkey, or for a code of the authenticator app, or for a recovery code: what the account has. */
export function FactorForm({ request, factors, canUsePasskeys, action, returnTo, problem }: FactorFormProps): VNode {
  const hidden = { return_to: returnTo };
  const { passkeys, hasApp, recoveryCodes } = factors;
  const label = !hasApp
    ? "Recovery code"
    : recoveryCodes > 0
      ? "Code of your app, or a recovery code"
      : "Code of your app";
  return (
    <>
      {passkeys > 0 && canUsePasskeys && (
        <PasskeyForm
          {...{ request, action, hidden }}
          ceremony="get"
          optionsPath={PASSKEY_OPTIONS_PATH}
          button="Use a passkey"
        />
      )}
      {(hasApp || recoveryCodes > 0) && (
        <Form request={request} action={action} hidden={hidden}>
          <TextField
            name="code"
            label={label}
            autocomplete="one-time-code"
            maxLength={60}
            isCode
            problem={problem}
            hint={
              hasApp ? "Six digits, which change every 30 seconds." : "One of those that you saved. Each works once."
            }
          />
          <Button variant={passkeys > 0 && canUsePasskeys ? "quiet" : undefined}>Continue</Button>
        </Form>
      )}
    </>
  );
}

/** What a form of this kind was sent with. Six digits are a code of the app, anything else a recovery code. */
export function factorProofIn(services: WebsiteServices, post: FormPost): FactorProof {
  const response = post.field("passkey");
  if (response !== "") return { kind: "passkey", response, relyingParty: requireRelyingParty(services, post) };
  const code = post.field("code");
  return { kind: /^\s*\d{3}\s?\d{3}\s*$/.test(code) ? "code" : "recovery_code", code };
}

/** Why a factor was not accepted. */
export function factorProblem(outcome: keyof typeof PROBLEMS): string {
  return PROBLEMS[outcome];
}

const PROBLEMS = {
  wrong: "This passkey or code was not accepted. A code works once, and for a minute; check the clock of your device.",
  locked: "Too many wrong codes in a row. Use a passkey or a recovery code.",
  cloned:
    "This passkey was refused: its counter went back, so a copy of it may exist. We have sent you a mail about it.",
};
