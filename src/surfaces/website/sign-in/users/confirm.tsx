import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { EmailField, PasswordField } from "../../components/sign-in-fields.tsx";
import type { Page } from "../../shell/layout.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { isRequestedBy, type MailedLink, visitorOf } from "../domain.ts";
import { showExpiredLink } from "./expired-link.tsx";
import { startSession } from "./start-session.ts";

/** `GET /confirm`: changes nothing until the button is pressed, since mail scanners open every link. */
export async function showConfirm({ users }: WebsiteServices, request: PageRequest): Promise<void> {
  const secret = request.query("link");
  const link = await users.linkOf(secret, request.now);
  if (link?.purpose !== "sign_up") showExpiredLink(request, "/sign-up");
  else request.show(page(request, { link, secret }));
}

/** `POST /confirm` */
export async function confirmPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const secret = post.field("link");
  const showAgain = async (status: number, problems: Problems) => {
    const link = await services.users.linkOf(secret, post.now);
    if (link) post.show(page(post, { link, secret, ...problems }), status);
    else showExpiredLink(post, "/sign-up");
  };
  try {
    const confirmation = { link: secret, password: post.field("password") || null, visitor: visitorOf(post) };
    const confirmed = await services.users.confirmSignUp({ ...confirmation, now: post.now });
    if (confirmed.outcome === "signed_in") await startSession(services, post, confirmed.session, confirmed.returnTo);
    else if (confirmed.outcome === "gone") showExpiredLink(post, "/sign-up");
    else await showAgain(401, { problem: "This is not the password that you chose when you signed up." });
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    await showAgain(status, { message: text });
  }
}

interface Problems {
  readonly problem?: string;
  readonly message?: string;
}

interface State extends Problems {
  readonly link: MailedLink;
  readonly secret: string;
}

function page(request: PageRequest, state: State): Page {
  const title = "Confirm your e-mail address - Beckon";
  return { title, forms: [], body: <ConfirmView request={request} {...state} /> };
}

function ConfirmView({ request, link, secret, problem, message }: State & { request: PageRequest }): VNode {
  const isSameBrowser = isRequestedBy(link, visitorOf(request));
  return (
    <>
      <h1>Confirm your e-mail address</h1>
      {message && <Notice variant="bad">{message}</Notice>}
      {isSameBrowser ? (
        <p>
          Press the button to create the account of <strong>{link.email}</strong>.
        </p>
      ) : (
        <>
          <p>You signed up in another browser. Enter the password that you chose there.</p>
          <p>If you did not sign up, close this page: no account is created.</p>
        </>
      )}
      <Form request={request} action="/confirm" hidden={{ link: secret }}>
        {!isSameBrowser && (
          <>
            <EmailField value={link.email} isFixed />
            <PasswordField problem={problem} />
          </>
        )}
        <Button>Create my account</Button>
      </Form>
    </>
  );
}
