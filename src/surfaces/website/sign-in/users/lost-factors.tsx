import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { CANCEL_REMOVAL_PATH, LOST_FACTORS_PATH, withReturnTo } from "../../shell/return-to.ts";
import { isPasswordRecent, visitorOf } from "../domain.ts";

/** `GET /sign-in/lost`: what somebody who has lost everything but the password can do. */
export async function showLostFactors(services: WebsiteServices, request: PageRequest): Promise<void> {
  const personId = await personByPasswordOf(services, request);
  if (personId === null) return askPassword(request);
  request.show({ title: "Lost passkeys and codes - Beckon", forms: [], body: <LostView request={request} /> });
}

/** `POST /sign-in/lost` */
export async function lostFactorsPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const personId = await personByPasswordOf(services, post);
  if (personId === null) return askPassword(post);
  const { now } = post;
  await services.users.factors.requestFactorRemoval({ personId, visitor: visitorOf(post), now });
  post.show({ title: "Removal requested - Beckon", body: <RequestedView /> });
}

/** `GET /sign-in/lost/cancel`: changes nothing until the button is pressed, since mail scanners open every link. */
export async function showCancelRemoval({ users }: WebsiteServices, request: PageRequest): Promise<void> {
  const link = request.query("link");
  const removal = await users.factors.removalByLink(link);
  const title = "Cancel the removal - Beckon";
  if (removal) request.show({ title, forms: [], body: <CancelView request={request} link={link} /> });
  else request.show({ title, body: <GoneView /> }, 410);
}

/** `POST /sign-in/lost/cancel` */
export async function cancelRemovalByLinkPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const cancel = { link: post.field("link"), visitor: visitorOf(post), now: post.now };
  const isCancelled = await services.users.factors.cancelRemovalByLink(cancel);
  const title = "Cancel the removal - Beckon";
  if (isCancelled) post.show({ title, body: <CancelledView /> });
  else post.show({ title, body: <GoneView /> }, 410);
}

/** The person who has entered the password lately in this browser; null for anybody else. */
async function personByPasswordOf({ users }: WebsiteServices, request: PageRequest): Promise<string | null> {
  const { session, secret, now } = request;
  if (session) return session.hasFactor && isPasswordRecent(session, now) ? session.personId : null;
  return (await users.pendingSignInOf(secret, now))?.personId ?? null;
}

function askPassword(request: PageRequest): void {
  request.redirect(withReturnTo("/sign-in", LOST_FACTORS_PATH));
}

function LostView({ request }: { request: PageRequest }): VNode {
  return (
    <>
      <h1>Lost your passkeys and codes?</h1>
      <p>
        A recovery code lets you in at once. If you have lost those too, we can remove all passkeys, the authenticator
        app and the recovery codes from your account. <strong>That takes seven days.</strong> Until then we send you a
        mail every day, and the removal can be cancelled: by a link in the first mail, or by anybody who shows a passkey
        or a code.
      </p>
      <Form request={request} action={LOST_FACTORS_PATH}>
        <Button variant="bad">Remove them in seven days</Button>
      </Form>
      <p>
        <a href="/sign-in">Back to sign-in</a>
      </p>
    </>
  );
}

function RequestedView(): VNode {
  return (
    <>
      <h1>They will be removed in seven days</h1>
      <p>
        We have sent a mail to the address of the account, and send another one every day. From the day that it names,
        the password alone signs in.
      </p>
    </>
  );
}

function CancelView({ request, link }: { request: PageRequest; link: string }): VNode {
  return (
    <>
      <h1>Keep your passkeys and codes?</h1>
      <p>
        Somebody who knows your password told us that they are lost. If that was not you, cancel it, and then{" "}
        <a href="/forgot">set a new password</a>.
      </p>
      <Form request={request} action={CANCEL_REMOVAL_PATH} hidden={{ link }}>
        <Button>Cancel the removal</Button>
      </Form>
    </>
  );
}

function CancelledView(): VNode {
  return (
    <>
      <h1>The removal is cancelled</h1>
      <p>
        Your passkeys and codes stay. If it was not you who requested it, <a href="/forgot">set a new password</a> now:
        somebody knows the old one.
      </p>
    </>
  );
}

function GoneView(): VNode {
  return (
    <>
      <h1>There is nothing to cancel</h1>
      <p>
        The removal was cancelled before, or it has been carried out. <a href="/sign-in">Sign in</a> to see what your
        account has.
      </p>
    </>
  );
}
