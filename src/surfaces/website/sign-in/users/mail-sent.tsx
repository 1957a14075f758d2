import type { VNode } from "preact";
import { LINK_LIFETIME } from "../../../../domain/users/mailed-links.ts";
import { HOUR } from "../../../../platform/clock.ts";
import { SignUpHint } from "../../shell/deployment.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { PageRequest } from "../../shell/page-request.ts";
import { withReturnTo } from "../../shell/return-to.ts";

/** The form that was sent. */
type FormPath = "/sign-up" | "/forgot";

/** The page after a link was requested. It does not get the address, so it cannot reveal whether there is an account. */
export function showMailSent(request: PageRequest, formPath: FormPath): void {
  const returnTo = localPath(request.query("return_to"));
  request.show({ title: "Check your e-mail - Beckon", body: <MailSentView {...{ formPath, returnTo }} /> });
}

function MailSentView({ formPath, returnTo }: { formPath: FormPath; returnTo: string }): VNode {
  return (
    <>
      <h1>Check your e-mail</h1>
      <p>
        A message is on its way to the address you gave. The link in it works for {LINK_LIFETIME / HOUR} hours. Open it
        in this browser to continue where you were.
      </p>
      <h2>If no message arrives</h2>
      <ul>
        <li>Wait a few minutes, and check your spam folder.</li>
        <li>
          You may have mistyped the address. <a href={withReturnTo(formPath, returnTo)}>Enter it again</a>.
        </li>
        {formPath === "/forgot" && (
          <li>
            <SignUpHint returnTo={returnTo}>Only an address that has an account gets a message.</SignUpHint>
          </li>
        )}
        <li>
          We send only a few messages an hour to one address. After several attempts,{" "}
          {formPath === "/forgot" && "use the link in an earlier message, or "}wait an hour.
        </li>
      </ul>
      <p>This page says the same for every address, so that nobody can find out who has an account.</p>
    </>
  );
}
