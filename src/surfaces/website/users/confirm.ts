import { hashOf, timingSafeEquals } from "../../../domain/auth/secrets.ts";
import { confirmSignUp } from "../../../domain/users/confirm.ts";
import { linkOf, type MailedLink } from "../../../domain/users/mailed-links.ts";
import { button, form, hidden, notice } from "../form.ts";
import { html } from "../html.ts";
import type { Page } from "../layout.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../page-request.ts";
import { showExpiredLink } from "./expired-link.ts";
import { emailField, passwordField } from "./fields.ts";
import { retryLater } from "./retry-later.ts";
import { startSession, userServicesOf, visitorOf } from "./visitor.ts";

/** `GET /confirm`: changes nothing until the button is pressed, since mail scanners open every link. */
export async function showConfirm({ db }: WebsiteServices, request: PageRequest): Promise<void> {
  const secret = request.query("link");
  const link = await linkOf(db, secret, request.now);
  if (link?.purpose !== "sign_up") showExpiredLink(request, "/sign-up");
  else request.show(page(request, { link, secret }));
}

/** `POST /confirm` */
export async function confirmPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const secret = post.field("link");
  const showAgain = async (status: number, problems: Problems) => {
    const link = await linkOf(services.db, secret, post.now);
    if (link) post.show(page(post, { link, secret, ...problems }), status);
    else showExpiredLink(post, "/sign-up");
  };
  try {
    const confirmation = { link: secret, password: post.field("password") || null, visitor: visitorOf(post) };
    const confirmed = await confirmSignUp(userServicesOf(services), { ...confirmation, now: post.now });
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

function page(request: PageRequest, { link, secret, problem, message }: State): Page {
  const isSameBrowser = timingSafeEquals(link.visitorHash, hashOf(request.secret));
  const inAnotherBrowser = html`<p>You signed up in another browser. Enter the password that you chose there.</p>
<p>If you did not sign up, close this page: no account is created.</p>`;
  return {
    title: "Confirm your e-mail address - Beckon",
    forms: [],
    body: html`
<h1>Confirm your e-mail address</h1>
${message ? notice(message, "bad") : ""}
${isSameBrowser ? html`<p>Press the button to create the account of <strong>${link.email}</strong>.</p>` : inAnotherBrowser}
${form(
  request,
  "/confirm",
  html`${hidden({ link: secret })}
${isSameBrowser ? "" : html`${emailField({ value: link.email, isFixed: true })}${passwordField({ problem: problem ?? null })}`}
${button("Create my account")}`,
)}`,
  };
}
