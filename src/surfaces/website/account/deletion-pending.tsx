import type { VNode } from "preact";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { Time } from "../components/time.tsx";
import { DELETION_PATH, PATHS } from "../shell/addresses.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { keep } from "./domain.ts";

/** `GET /account/deletion`: every page of an account that will be deleted leads here. */
export async function deletionPendingPage(_services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { deletionDueAt: dueAt } = request.session;
  if (dueAt === null) return request.redirect(PATHS.overview);
  const title = "Your account will be deleted - Beckon";
  request.show({ title, forms: [], body: <PendingView request={request} dueAt={dueAt} /> });
}

/** `POST /account/deletion`: keeps the account. */
export async function keepAccountPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  await keep(services, request);
  request.redirect(`${PATHS.profile}?done=kept`);
}

function PendingView({ request, dueAt }: { request: SignedInRequest; dueAt: number }): VNode {
  return (
    <>
      <h1>Your account will be deleted</h1>
      <p>
        You asked us to delete the account of <strong>{request.session.email}</strong>. We will do so on{" "}
        <Time at={dueAt} />. Its API keys, apps and agents have ended, its watches are paused, and what was not sent is
        cancelled.
      </p>
      <Form request={request} action={DELETION_PATH}>
        <Button>Keep my account</Button>
      </Form>
      <p>
        If you want it deleted, you need not do anything. <a href="/sign-out">Sign out</a>
      </p>
      <p class="soft">
        If it was not you who asked for this, keep the account, and then set a new password: somebody else knows the
        present one.
      </p>
    </>
  );
}
