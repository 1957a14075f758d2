import type { VNode } from "preact";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../shell/page-request.ts";
import { visitorOf } from "../sign-in/domain.ts";
import { addressUndo, UNDO_ADDRESS_PATH } from "./domain.ts";

const TITLE = "Undo the change of your address - Beckon";

/** `GET /address/undo`: changes nothing until the button is pressed, since mail scanners open every link. */
export async function showUndoAddress(services: WebsiteServices, request: PageRequest): Promise<void> {
  const link = request.query("link");
  const undo = await addressUndo(services, request, link);
  if (!undo) return showGone(request);
  const body = <UndoView request={request} link={link} email={undo.email} />;
  request.show({ title: TITLE, forms: [], body });
}

/** `POST /address/undo`: leads to the page on which a new password is chosen. */
export async function undoAddressPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const path = await services.users.undoAddressChange({
    link: post.field("link"),
    visitor: visitorOf(post),
    now: post.now,
  });
  if (path === null) showGone(post);
  else post.redirect(path);
}

function showGone(request: PageRequest): void {
  request.show({ title: TITLE, body: <GoneView /> }, 410);
}

interface UndoViewProps {
  readonly request: PageRequest;
  readonly link: string;
  readonly email: string;
}

function UndoView({ request, link, email }: UndoViewProps): VNode {
  return (
    <>
      <h1>Undo the change of your address?</h1>
      <p>
        Your account gets back the address <strong>{email}</strong>. Do this if somebody else has changed it. Then:
      </p>
      <ul>
        <li>Every browser is signed out, this one too.</li>
        <li>All apps and agents are disconnected, and all API keys are revoked.</li>
        <li>Webhooks and watches that were made or changed since are paused. A mail lists them.</li>
        <li>Passkeys and codes that were added since the change was asked for are removed.</li>
        <li>The old password no longer signs in. The next page lets you choose a new one.</li>
      </ul>
      <p>Credits, projects and sites stay.</p>
      <Form request={request} action={UNDO_ADDRESS_PATH} hidden={{ link }}>
        <Button variant="bad">Undo the change</Button>
      </Form>
    </>
  );
}

function GoneView(): VNode {
  return (
    <>
      <h1>There is nothing to undo</h1>
      <p>
        The change was undone before, or more than seven days have passed. The link may also be incomplete: some mail
        programs cut long links.
      </p>
      <p>
        If your address still signs in, <a href="/forgot">set a new password</a>.
      </p>
    </>
  );
}
