import type { VNode } from "preact";
import { HOUR } from "../../../../platform/clock.ts";
import { Notice } from "../../components/notice.tsx";
import { SignUpHint } from "../../shell/deployment.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { withReturnTo } from "../../shell/return-to.ts";
import { LINK_LIFETIME } from "../domain.ts";
import { typedAddress } from "./typed-address.ts";

/** The form that was sent. */
type FormPath = "/sign-up" | "/forgot";

/** The page after a link was requested. It knows what was typed and no more, so it cannot reveal whether there is an account. */
export function showMailSent(services: WebsiteServices, request: PageRequest, formPath: FormPath): void {
  const returnTo = localPath(request.query("return_to"));
  const email = typedAddress(services, request);
  const where = services.config.mode === "sandbox" ? whereMailIs(services.config.mail) : null;
  request.show({
    title: "Check your e-mail - Beckon",
    body: <MailSentView {...{ formPath, returnTo, email, where }} />,
  });
}

/** Where whoever tries a sandbox finds the message; null where it is sent. */
function whereMailIs(mail: string): string | null {
  if (mail === "console") return "where the service was started, among what it prints";
  return mail.startsWith("file:") ? "in the folder that MAIL names, on the machine of the service" : null;
}

interface MailSent {
  readonly formPath: FormPath;
  readonly returnTo: string;
  /** Null: not known any more. */
  readonly email: string | null;
  readonly where: string | null;
}

function MailSentView({ formPath, returnTo, email, where }: MailSent): VNode {
  return (
    <>
      <h1>Check your e-mail</h1>
      <p>
        A message is on its way to {email === null ? "the address you gave" : <strong>{email}</strong>}. The link in it
        works for {LINK_LIFETIME / HOUR} hours. Open it in this browser to continue where you were.
      </p>
      {where && <Notice>This is a sandbox, which sends no mail. You find the message {where}.</Notice>}
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
