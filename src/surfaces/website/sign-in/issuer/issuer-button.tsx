import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import type { PageRequest } from "../../shell/page-request.ts";
import { ISSUER_PATHS } from "../../shell/return-to.ts";

interface IssuerButtonProps {
  readonly request: PageRequest;
  /** What people call the issuer. */
  readonly name: string;
  readonly returnTo: string;
  readonly verb?: "Sign in" | "Sign up" | "Continue";
}

/** Leads to the issuer of OpenID Connect and back, signed in; whoever is signed in proves there again who they are. */
export function IssuerButton({ request, name, returnTo, verb = "Sign in" }: IssuerButtonProps): VNode {
  return (
    <Form request={request} action={ISSUER_PATHS.go} hidden={{ return_to: returnTo }}>
      <Button>
        {verb} with {name}
      </Button>
    </Form>
  );
}
