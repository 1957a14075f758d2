import type { VNode } from "preact";
import { DEMO_EMAIL, demoLinkOf, signInByDemoLink } from "../../../../domain/users/demo-sign-in.ts";
import { startCommand } from "../../../../platform/own-command.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { startSession, visitorOf } from "./visitor.ts";

/** The path of the link that a start prints. */
const DEMO_PATH = "/sign-in/demo";

/** `GET /sign-in/demo`: only shows a button, since programs that preview links open them. */
export async function showDemoSignIn({ db }: WebsiteServices, request: PageRequest): Promise<void> {
  const secret = request.query("link");
  if (!(await demoLinkOf(db, secret, request.now))) return showExpired(request);
  request.show({
    title: "Sign in as demo - Beckon",
    forms: [],
    body: <DemoSignInView request={request} secret={secret} />,
  });
}

/** `POST /sign-in/demo` */
export async function demoSignInPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const signIn = { link: post.field("link"), visitor: visitorOf(post), now: post.now };
  const secret = await signInByDemoLink(services.db, signIn);
  if (secret === null) showExpired(post);
  else await startSession(services, post, secret, "/dashboard");
}

function DemoSignInView({ request, secret }: { request: PageRequest; secret: string }): VNode {
  return (
    <>
      <h1>Sign in as demo</h1>
      <p>
        This signs the browser in to <strong>{DEMO_EMAIL}</strong>, the account to try this sandbox with.
      </p>
      <Form request={request} action={DEMO_PATH} hidden={{ link: secret }}>
        <Button>Sign in as demo</Button>
      </Form>
    </>
  );
}

function showExpired(request: PageRequest): void {
  request.show({ title: "Link expired - Beckon", body: <ExpiredView isSignedIn={request.session !== null} /> }, 410);
}

function ExpiredView({ isSignedIn }: { isSignedIn: boolean }): VNode {
  return (
    <>
      <h1>This link is no longer valid</h1>
      <p>A link to sign in as demo works once, for an hour, and until the service is started again.</p>
      {isSignedIn ? (
        <p>
          You are signed in. <a href="/dashboard">Go to your dashboard</a>.
        </p>
      ) : (
        <p>
          Stop the service and run <code>{startCommand()}</code> again: it prints a new link.
        </p>
      )}
    </>
  );
}
