import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { forgetList } from "../../shell/kept-list.ts";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { ISSUER_PATHS, withReturnTo } from "../../shell/return-to.ts";

/** `GET /sign-out`: asks first, so that a link cannot sign anybody out. */
export function showSignOut({ config }: WebsiteServices, request: PageRequest): void {
  const body = <SignOutView request={request} issuer={config.issuer?.name} />;
  request.show({ title: "Sign out - Beckon", forms: [], body });
}

function SignOutView({ request, issuer }: { request: PageRequest; issuer: string | undefined }): VNode {
  const { session } = request;
  if (!session)
    return (
      <>
        <h1>Sign out</h1>
        <p>
          You are not signed in. <a href="/sign-in">Sign in</a>.
        </p>
        {issuer && (
          <>
            <p>If you signed in with {issuer}, you may still be signed in there.</p>
            <Form request={request} action={ISSUER_PATHS.signOut}>
              <Button variant="quiet">Sign out of {issuer}</Button>
            </Form>
          </>
        )}
      </>
    );
  return (
    <>
      <h1>Sign out</h1>
      <p>
        You are signed in as <strong>{session.email}</strong>. Apps and agents stay connected when you sign out.
      </p>
      <Form request={request} action="/sign-out" hidden={{ return_to: request.query("return_to") }}>
        <Button>Sign out</Button>
      </Form>
    </>
  );
}

/** `POST /sign-out`; with `return_to` it leads to the sign-in page, for somebody who wants another account. */
export async function signOutPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const { db, users, config } = services;
  const { session } = post;
  if (session) await db.tx((tx) => users.sessions.endSession(tx, session, post.now));
  post.clearSessionCookie();
  const returnTo = post.field("return_to");
  if (returnTo === "") forgetList(services, post);
  const done = config.issuer ? "/sign-out" : "/";
  post.redirect(returnTo === "" ? done : withReturnTo("/sign-in", localPath(returnTo)));
}
