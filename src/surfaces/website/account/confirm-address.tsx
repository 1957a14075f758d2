import type { VNode } from "preact";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { ACCOUNT_PATHS, PATHS } from "../shell/addresses.ts";
import {
  type FormPost,
  type PageRequest,
  redirectToSignIn,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import type { MailedLink } from "../sign-in/domain.ts";
import { visitorOf } from "../sign-in/domain.ts";
import { showExpiredLink } from "../sign-in/users/expired-link.tsx";
import { CONFIRM_ADDRESS_PATH } from "./domain.ts";

/** `GET /address/confirm`: changes nothing until the button is pressed, since mail scanners open every link. */
export async function showConfirmAddress(services: WebsiteServices, request: PageRequest): Promise<void> {
  const secret = request.query("link");
  const link = await openLink(services, request, secret);
  if (!link) return;
  const body = <ConfirmView request={request} link={link} secret={secret} />;
  request.show({ title: TITLE, forms: [], body });
}

/** `POST /address/confirm` */
export async function confirmAddressPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const secret = post.field("link");
  if (!(await openLink(services, post, secret))) return;
  const { session, now } = post as SignedInPost;
  const confirmation = { session, link: secret, visitor: visitorOf(post), now };
  if (await services.users.confirmAddressChange(confirmation)) post.redirect(`${PATHS.profile}?done=address_changed`);
  else showExpiredLink(post, ACCOUNT_PATHS.address);
}

const TITLE = "Confirm your new e-mail address - Beckon";

/** The valid link, for the account that it is meant for. Null: the request was answered with another page. */
async function openLink(services: WebsiteServices, request: PageRequest, secret: string): Promise<MailedLink | null> {
  const link = await services.users.linkOf(secret, request.now);
  const path = `${CONFIRM_ADDRESS_PATH}?${new URLSearchParams({ link: secret })}`;
  if (link?.purpose !== "address") showExpiredLink(request, ACCOUNT_PATHS.address);
  else if (!request.session) redirectToSignIn(request, false, path);
  else if (request.session.personId !== link.personId) {
    const body = <OtherAccountView request={request as SignedInRequest} path={path} />;
    request.show({ title: TITLE, forms: [], body }, 403);
  } else return link;
  return null;
}

interface ConfirmViewProps {
  readonly request: PageRequest;
  readonly link: MailedLink;
  readonly secret: string;
}

function ConfirmView({ request, link, secret }: ConfirmViewProps): VNode {
  return (
    <>
      <h1>Confirm your new e-mail address</h1>
      <p>
        Press the button to change the address of your account from <strong>{request.session?.email}</strong> to{" "}
        <strong>{link.email}</strong>. You sign in with the new one from then on.
      </p>
      <Form request={request} action={CONFIRM_ADDRESS_PATH} hidden={{ link: secret }}>
        <Button>Change my address</Button>
      </Form>
    </>
  );
}

function OtherAccountView({ request, path }: { request: SignedInRequest; path: string }): VNode {
  return (
    <>
      <h1>This link is for another account</h1>
      <p>
        You are signed in as <strong>{request.session.email}</strong>. Sign in to the account whose address is to be
        changed, with the address that it has now.
      </p>
      <p>If you did not ask for a change, close this page: nothing changes.</p>
      <Form request={request} action="/sign-out" hidden={{ return_to: path }}>
        <Button>Sign in with another address</Button>
      </Form>
    </>
  );
}
