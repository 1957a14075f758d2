import type { VNode } from "preact";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { FACTOR_PATHS, PATHS } from "../../shell/addresses.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { visitorOf } from "../domain.ts";

/** `GET /dashboard/security/recovery-codes` */
export async function newRecoveryCodesPage(_services: WebsiteServices, request: SignedInRequest): Promise<void> {
  if (!confirmIdentity(request, { formPage: PATHS.security })) return;
  const body = <NewCodesView request={request} />;
  request.show(dashboardPage({ section: "security", title: "Make new recovery codes", body }));
}

/** `POST /dashboard/security/recovery-codes`: makes new codes, and shows them this once. */
export async function recoveryCodesPost({ users }: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!confirmIdentity(request, { formPage: PATHS.security })) return;
  const { session, now } = request;
  const change = { session, visitor: visitorOf(request), now };
  const codes = await request.sessionTx((tx) => users.factors.renewRecoveryCodes(tx, change));
  if (!codes) throw new Refusal("not_found", "Your account has no passkey and no authenticator app to recover.");
  showRecoveryCodes(request, codes);
}

/** Shows new codes, this once. */
export function showRecoveryCodes(request: SignedInRequest, codes: readonly string[]): void {
  const body = <RecoveryCodesView codes={codes} />;
  request.show({
    ...dashboardPage({ section: "security", title: "Your recovery codes", body }),
    showsSecret: true,
  });
}

function NewCodesView({ request }: { request: SignedInRequest }): VNode {
  return (
    <>
      <p>You get ten codes. Each lets you in once in place of a passkey or a code of your authenticator app.</p>
      <p>The codes that you have now are void then.</p>
      <Form request={request} action={FACTOR_PATHS.recoveryCodes}>
        <Button>Make new recovery codes</Button>
      </Form>
      <p>
        <a href={FACTOR_PATHS.section}>Back to security</a>
      </p>
    </>
  );
}

function RecoveryCodesView({ codes }: { codes: readonly string[] }): VNode {
  return (
    <>
      <Notice>Save these codes now: they are not shown again.</Notice>
      <p>
        If you lose your passkeys or your authenticator app, one of them lets you in instead. Each works once. Print
        them, or keep them in a password manager. Without them, removing what you have lost takes seven days.
      </p>
      <CodeBlock text={codes.join("\n")} />
      <p>
        <a href={FACTOR_PATHS.section}>I have saved them. Back to security</a>
      </p>
    </>
  );
}
