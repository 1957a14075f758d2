import type { VNode } from "preact";
import { askAt, type Config } from "../../../../platform/config/config.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { EmailField, NewPasswordField } from "../../components/sign-in-fields.tsx";
import { AskAt } from "../../shell/deployment.tsx";
import type { Page } from "../../shell/layout.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { signInReason, withReturnTo } from "../../shell/return-to.ts";
import { normaliseEmail, passwordProblem, visitorOf } from "../domain.ts";
import { IssuerButton } from "../issuer/issuer-button.tsx";
import { rememberTyped } from "./typed-address.ts";

/** `GET /sign-up` */
export function showSignUp({ config }: WebsiteServices, request: PageRequest): void {
  const returnTo = localPath(request.query("return_to"));
  if (request.session) request.redirect(returnTo);
  else if (config.signUp === "off") showClosed(request, config);
  else request.show(page(request, { returnTo, issuer: config.issuer?.name }));
}

/** `POST /sign-up`: the answer is the same for every address. */
export async function signUpPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  if (post.session) return post.redirect(returnTo);
  if (services.config.signUp === "off") return showClosed(post, services.config);
  const typed = { email: post.field("email"), password: post.field("password") };
  const email = normaliseEmail(typed.email);
  const problems = {
    email: email === null ? "Enter an e-mail address, such as name@example.com." : null,
    password: await passwordProblem(typed.password, email ?? ""),
  };
  const state = { returnTo, email: typed.email, issuer: services.config.issuer?.name };
  if (email === null || problems.password) return post.show(page(post, { ...state, problems }), 400);
  try {
    const signUp = { email, password: typed.password, returnTo, visitor: visitorOf(post), now: post.now };
    await services.users.requestSignUp(signUp);
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    return post.show(page(post, { ...state, message: text }), status);
  }
  rememberTyped(services, post, typed.email);
  post.redirect(withReturnTo("/sign-up/sent", returnTo));
}

/** Only the operator makes accounts here. */
function showClosed(request: PageRequest, config: Config): void {
  const body = (
    <>
      <h1>Accounts are made by whoever runs this service</h1>
      <p>
        Nobody can sign up here. Ask for an account at <AskAt at={askAt(config)} />. If you have one,{" "}
        <a href="/sign-in">sign in</a>, or <a href="/forgot">choose a password</a> first.
      </p>
    </>
  );
  request.show({ title: "Sign up - Beckon", body }, 404);
}

interface State {
  readonly returnTo: string;
  /** What people call the issuer that can open an account, too. */
  readonly issuer: string | undefined;
  readonly email?: string;
  readonly problems?: { readonly email: string | null; readonly password: string | null };
  readonly message?: string;
}

function page(request: PageRequest, state: State): Page {
  return { title: "Sign up - Beckon", forms: [], body: <SignUpView request={request} {...state} /> };
}

function SignUpView(props: State & { request: PageRequest }): VNode {
  const { request, returnTo, issuer, email = "", problems, message } = props;
  const reason = signInReason(returnTo);
  return (
    <>
      <h1>Create an account</h1>
      {message ? <Notice variant="bad">{message}</Notice> : reason && <Notice>{reason}</Notice>}
      {issuer && <IssuerButton request={request} name={issuer} returnTo={returnTo} verb="Sign up" />}
      <p>
        We send you a link to confirm your address. Already have an account?{" "}
        <a href={withReturnTo("/sign-in", returnTo)}>Sign in</a>.
      </p>
      <Form request={request} action="/sign-up" hidden={{ return_to: returnTo }}>
        <EmailField value={email} problem={problems?.email} />
        <NewPasswordField label="Password" problem={problems?.password} />
        <Button>Create account</Button>
      </Form>
    </>
  );
}
