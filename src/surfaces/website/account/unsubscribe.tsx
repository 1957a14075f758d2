import { type Router as ExpressRouter, Router } from "express";
import type { VNode } from "preact";
import { Button } from "../components/button.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { PageHandlers, PageRequest, WebsiteServices } from "../shell/page-request.ts";
import { endSubscription, NOTICE_KINDS, type NoticeKind, subscriptionAt, UNSUBSCRIBE_PATH } from "./domain.ts";

/**
 * One-click unsubscribe (RFC 8058). The POST comes from a mail program, or from the button of the page: it needs no session
 * and no CSRF token, since its address is the secret. A GET changes nothing, because programs open links to look at them.
 */
export function unsubscribeRoutes(services: WebsiteServices, pages: PageHandlers): ExpressRouter {
  const router = Router();
  router.get(
    UNSUBSCRIBE_PATH,
    pages.get((request) => showUnsubscribe(services, request)),
  );
  router.post(
    UNSUBSCRIBE_PATH,
    pages.get((request) => unsubscribePost(services, request)),
  );
  return router;
}

function showUnsubscribe(services: WebsiteServices, request: PageRequest): void {
  const subscription = subscriptionIn(services, request);
  if (subscription) show(request, "Unsubscribe", <AskView kind={subscription.kind} action={request.req.originalUrl} />);
}

async function unsubscribePost(services: WebsiteServices, request: PageRequest): Promise<void> {
  const subscription = subscriptionIn(services, request);
  if (!subscription) return;
  await endSubscription(services, request, subscription);
  show(request, "You are unsubscribed", <DoneView kind={subscription.kind} />);
}

/** What the token of the address is for. Null: the request is answered. */
function subscriptionIn(services: WebsiteServices, request: PageRequest) {
  const subscription = subscriptionAt(services, request.query("token"));
  if (!subscription) show(request, "This link is not valid", <InvalidView />, 410);
  return subscription;
}

function show(request: PageRequest, title: string, body: VNode, status = 200): void {
  const page = (
    <>
      <h1>{title}</h1>
      {body}
    </>
  );
  request.show({ title: `${title} - Beckon`, forms: [], body: page }, status);
}

function AskView({ kind, action }: { kind: NoticeKind; action: string }): VNode {
  return (
    <>
      <p>
        Press the button, and your account gets no more mail about <strong>{NOTICE_KINDS[kind].label}</strong>.
      </p>
      <form method="post" action={action}>
        <Button>Unsubscribe</Button>
      </form>
      <p>
        You can choose which kinds of mail you get in the <a href={PATHS.notices}>settings of your account</a>.
      </p>
    </>
  );
}

function DoneView({ kind }: { kind: NoticeKind }): VNode {
  return (
    <>
      <p>
        Your account gets no more mail about <strong>{NOTICE_KINDS[kind].label}</strong>.
      </p>
      <p>
        To get it again, switch it on in the <a href={PATHS.notices}>settings of your account</a>.
      </p>
    </>
  );
}

function InvalidView(): VNode {
  return (
    <p>
      It is incomplete, or too old. You can switch every kind of mail off in the{" "}
      <a href={PATHS.notices}>settings of your account</a>.
    </p>
  );
}
