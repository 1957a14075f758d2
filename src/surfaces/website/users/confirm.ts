import { hashOf, isSame } from "../../../domain/auth/secrets.ts";
import { confirmSignUp } from "../../../domain/users/confirm.ts";
import { linkOf, type MailedLink } from "../../../domain/users/mailed-links.ts";
import { button, form, hidden, notice } from "../form.ts";
import { html } from "../html.ts";
import type { Page } from "../layout.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../page-request.ts";
import { showExpiredLink } from "./expired-link.ts";
import { emailField, passwordField } from "./fields.ts";
import { retryLater } from "./retry-time.ts";
import { startSession, userServicesOf, visitorOf } from "./visitor.ts";

/** `GET /confirm`: only shows a button, since programs that scan mail open every link. */
export async function showConfirm({ db }: WebsiteServices, request: PageRequest): Promise<void> {
  const secret = request.query("link");
  const link = await linkOf(db, secret, request.now);
  if (link?.purpose !== "sign_up") showExpiredLink(request, "/sign-up");
  else request.show(page(request, { link, secret }));
}

/** `POST /confirm` */
export async function confirmPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const secret = post.field("link");
  const again = async (status: number, problems: Problems) => {
    const link = await linkOf(services.db, secret, post.now);
    if (link) post.show(page(post, { link, secret, ...problems }), status);
    else showExpiredLink(post, "/sign-up");
  };
  try {
    const confirmation = { link: secret, password: post.field("password") || null, visitor: visitorOf(post) };
    const confirmed = await confirmSignUp(userServicesOf(services), { ...confirmation, now: post.now });
    if (confirmed.outcome === "in") await startSession(services, post, confirmed.session, confirmed.returnTo);
    else if (confirmed.outcome === "gone") showExpiredLink(post, "/sign-up");
    else await again(401, { problem: "This is not the password that was chosen at sign-up." });
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    await again(status, { wait: text });
  }
}

interface Problems {
  readonly problem?: string;
  readonly wait?: string;
}

interface State extends Problems {
  readonly link: MailedLink;
  readonly secret: string;
}

function page(request: PageRequest, { link, secret, problem, wait }: State): Page {
  const isKnown = isSame(link.visitorHash, hashOf(request.secret));
  const elsewhere = html`<p>This is not the browser you signed up in, so type the password that you chose there.</p>
<p>You did not sign up? Then close this page: no account is opened.</p>`;
  return {
    title: "Open your account - Beckon",
    forms: [],
    body: html`
<h1>Open your account</h1>
${wait ? notice(wait, "bad") : ""}
${isKnown ? html`<p>One press, and the account of <strong>${link.email}</strong> is open.</p>` : elsewhere}
${form(
  request,
  "/confirm",
  html`${hidden({ link: secret })}
${isKnown ? "" : html`${emailField({ value: link.email, isFixed: true })}${passwordField({ problem: problem ?? null })}`}
${button("Open my account")}`,
)}`,
  };
}
