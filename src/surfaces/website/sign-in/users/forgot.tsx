import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { EmailField } from "../../components/sign-in-fields.tsx";
import type { Page } from "../../shell/layout.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { withReturnTo } from "../../shell/return-to.ts";
import { normaliseEmail, visitorOf } from "../domain.ts";
import { rememberTyped } from "./typed-address.ts";

/** `GET /forgot` */
export function showForgot(request: PageRequest): void {
  const returnTo = localPath(request.query("return_to"));
  request.show(page(request, { returnTo, email: request.session?.email ?? "" }));
}

/** `POST /forgot`: the answer is the same for every address. */
export async function forgotPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  const typed = post.field("email");
  const email = normaliseEmail(typed);
  const state = { returnTo, email: typed };
  const problem = "Enter an e-mail address, such as name@example.com.";
  if (email === null) return post.show(page(post, { ...state, problem }), 400);
  try {
    await services.users.requestPasswordReset({ email, returnTo, visitor: visitorOf(post), now: post.now });
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    return post.show(page(post, { ...state, message: text }), status);
  }
  rememberTyped(services, post, typed);
  post.redirect(withReturnTo("/forgot/sent", returnTo));
}

interface State {
  readonly returnTo: string;
  readonly email: string;
  readonly problem?: string;
  readonly message?: string;
}

function page(request: PageRequest, state: State): Page {
  return { title: "Reset your password - Beckon", forms: [], body: <ForgotView request={request} {...state} /> };
}

function ForgotView({ request, returnTo, email, problem, message }: State & { request: PageRequest }): VNode {
  return (
    <>
      <h1>Reset your password</h1>
      {message && <Notice variant="bad">{message}</Notice>}
      <p>We send you a link to set a new password. Until you use it, the old password keeps working.</p>
      <Form request={request} action="/forgot" hidden={{ return_to: returnTo }}>
        <EmailField value={email} problem={problem} />
        <Button>Send me a link</Button>
      </Form>
      <p>
        Remembered your password? <a href={withReturnTo("/sign-in", returnTo)}>Sign in</a>.
      </p>
    </>
  );
}
