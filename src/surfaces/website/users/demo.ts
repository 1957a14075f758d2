import { DEMO_EMAIL, demoLinkOf, signInByDemoLink } from "../../../domain/users/demo-sign-in.ts";
import { button, form, hidden } from "../form.ts";
import { html } from "../html.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../page-request.ts";
import { startSession, visitorOf } from "./visitor.ts";

/** The path of the link that `npm start` prints. */
const DEMO_PATH = "/sign-in/demo";

/** `GET /sign-in/demo`: only shows a button, since programs that preview links open them. */
export async function showDemoSignIn({ db }: WebsiteServices, request: PageRequest): Promise<void> {
  const secret = request.query("link");
  if (!(await demoLinkOf(db, secret, request.now))) return showExpired(request);
  request.show({
    title: "Sign in as demo - Beckon",
    forms: [],
    body: html`
<h1>Sign in as demo</h1>
<p>This signs the browser in to <strong>${DEMO_EMAIL}</strong>, the account to try this sandbox with.</p>
${form(request, DEMO_PATH, html`${hidden({ link: secret })}${button("Sign in as demo")}`)}`,
  });
}

/** `POST /sign-in/demo` */
export async function demoSignInPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const signIn = { link: post.field("link"), visitor: visitorOf(post), now: post.now };
  const secret = await signInByDemoLink(services.db, signIn);
  if (secret === null) showExpired(post);
  else await startSession(services, post, secret, "/dashboard");
}

function showExpired(request: PageRequest): void {
  const next = request.session
    ? html`<p>You are signed in. <a href="/dashboard">Go to your dashboard</a>.</p>`
    : html`<p>Stop the service and run <code>npm start</code> again: it prints a new link.</p>`;
  request.show(
    {
      title: "Link expired - Beckon",
      body: html`
<h1>This link is no longer valid</h1>
<p>A link to sign in as demo works once, for an hour, and until the service is started again.</p>
${next}`,
    },
    410,
  );
}
