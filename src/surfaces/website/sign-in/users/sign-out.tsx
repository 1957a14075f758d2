import type { VNode } from "preact";
import { endSession } from "../../../../domain/users/sessions.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { withReturnTo } from "../../shell/return-to.ts";

/** `GET /sign-out`: asks first, so that a link cannot sign anybody out. */
export function showSignOut(request: PageRequest): void {
  request.show({ title: "Sign out - Beckon", forms: [], body: <SignOutView request={request} /> });
}

function SignOutView({ request }: { request: PageRequest }): VNode {
  const { session } = request;
  if (!session)
    return (
      <>
        <h1>Sign out</h1>
        <p>
          You are not signed in. <a href="/sign-in">Sign in</a>.
        </p>
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
export async function signOutPost({ db }: WebsiteServices, post: FormPost): Promise<void> {
  const { session } = post;
  if (session) await db.tx((tx) => endSession(tx, session, post.now));
  post.clearSessionCookie();
  const returnTo = post.field("return_to");
  post.redirect(returnTo === "" ? "/" : withReturnTo("/sign-in", localPath(returnTo)));
}
