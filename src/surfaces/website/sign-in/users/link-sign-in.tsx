import type { VNode } from "preact";
import { startCommand } from "../../../../platform/own-command.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { DEMO_EMAIL, visitorOf } from "../domain.ts";
import { startSession } from "./start-session.ts";

/** The paths of the links that a start of a sandbox, and the command `sign-in-link`, print. */
export const SIGN_IN_LINK_PATHS = { demo: "/sign-in/demo", operator: "/sign-in/link" } as const;

type Kind = keyof typeof SIGN_IN_LINK_PATHS;

/** `GET /sign-in/demo` and `/sign-in/link`: only shows a button, since programs that preview links open them. */
export async function showLinkSignIn({ users }: WebsiteServices, request: PageRequest, kind: Kind): Promise<void> {
  const secret = request.query("link");
  const link = await users.signInLinkOf({ kind, secret }, request.now);
  if (!link) return showExpired(request, kind);
  const name = nameOf(link.email);
  request.show({
    title: `Sign in as ${name} - Beckon`,
    forms: [],
    body: (
      <>
        <h1>Sign in as {name}</h1>
        {kind === "demo" ? (
          <p>
            This signs the browser in to <strong>{DEMO_EMAIL}</strong>, the account to try this sandbox with.
          </p>
        ) : (
          <p>
            Whoever runs this service made this link, which signs the browser in as <strong>{link.email}</strong>, once.
          </p>
        )}
        <Form request={request} action={SIGN_IN_LINK_PATHS[kind]} hidden={{ link: secret }}>
          <Button>Sign in as {name}</Button>
        </Form>
      </>
    ),
  });
}

function nameOf(email: string): string {
  return email === DEMO_EMAIL ? "demo" : email;
}

/** `POST /sign-in/demo` and `/sign-in/link` */
export async function linkSignInPost(services: WebsiteServices, post: FormPost, kind: Kind): Promise<void> {
  const signIn = { kind, secret: post.field("link"), visitor: visitorOf(post), now: post.now };
  const secret = await services.users.signInByLink(signIn);
  if (secret === null) showExpired(post, kind);
  else await startSession(services, post, secret, "/dashboard");
}

function showExpired(request: PageRequest, kind: Kind): void {
  const body = <ExpiredView kind={kind} isSignedIn={request.session !== null} />;
  request.show({ title: "Link expired - Beckon", body }, 410);
}

function ExpiredView({ kind, isSignedIn }: { kind: Kind; isSignedIn: boolean }): VNode {
  const isDemo = kind === "demo";
  return (
    <>
      <h1>This link is no longer valid</h1>
      <p>
        {isDemo
          ? "A link to sign in as demo works once, for an hour, and until the service is started again."
          : "A link to sign in works once, for an hour, and until another one is made."}
      </p>
      {isSignedIn ? (
        <p>
          You are signed in. <a href="/dashboard">Go to your dashboard</a>.
        </p>
      ) : isDemo ? (
        <p>
          Stop the service and run <code>{startCommand()}</code> again: it prints a new link.
        </p>
      ) : (
        <p>
          Ask whoever runs this service for a new one, or <a href="/sign-in">sign in</a>.
        </p>
      )}
    </>
  );
}
