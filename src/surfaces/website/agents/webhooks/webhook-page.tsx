import type { VNode } from "preact";
import deleteWebhook from "../../../../../tools/delete-webhook.ts";
import listDeliveries from "../../../../../tools/list-deliveries.ts";
import listWebhooks from "../../../../../tools/list-webhooks.ts";
import redeliverEvent from "../../../../../tools/redeliver-event.ts";
import saveWebhook from "../../../../../tools/save-webhook.ts";
import type { AnswerOf } from "../../../../contract/operation.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { formatNumber } from "../../../../platform/format.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmedAction } from "../../components/item-list.tsx";
import { Paged, requestedPage } from "../../components/pagination.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { callOperation } from "../../shell/call-operation.ts";
import { cameFrom } from "../../shell/came-from.ts";
import { dashboardPage, doneMessage } from "../../shell/dashboard-page.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { failureWords } from "../domain.ts";
import { showSecret, WebhookState } from "./webhooks-page.tsx";

type Webhook = AnswerOf<typeof listWebhooks>["webhooks"][number];
type Delivery = AnswerOf<typeof listDeliveries>["deliveries"][number];

/** Deliveries on one page. */
const PAGE_SIZE = 25;

/** `GET /dashboard/webhooks/:id`: one webhook, what was sent to it, and forms to change it. */
export async function webhookPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const id = request.param("id");
  const { webhooks } = await callOperation(services, request, listWebhooks, { limit: SIZES.pageLimit });
  const webhook = webhooks.find((one) => one.id === id);
  if (!webhook) throw new Refusal("not_found", "Your account has no such webhook. It may be deleted already.");
  const { number, limit, offset } = requestedPage(request, PAGE_SIZE);
  const input = { webhook_id: id, limit, offset };
  const { deliveries, has_more } = await callOperation(services, request, listDeliveries, input);
  const body = (
    <>
      <p>
        <a href={PATHS.webhooks}>All webhooks</a>
      </p>
      <About webhook={webhook} />
      <Actions request={request} webhook={webhook} />
      <h2>Deliveries</h2>
      <Paged
        path={pathOf(id)}
        number={number}
        hasMore={has_more}
        noun="deliveries"
        isEmpty={deliveries.length === 0}
        empty="Nothing was sent to it yet."
      >
        <Deliveries deliveries={deliveries} />
      </Paged>
    </>
  );
  request.show(dashboardPage({ section: "webhooks", title: "Webhook", message: doneMessage(request, DONE), body }));
}

const DONE = {
  active: "The webhook is active. What waited is sent now.",
  paused: "The webhook is paused.",
  ping: "A test message is on its way. Open this page again in a moment to see how it went.",
  repeated: "The events are on their way.",
};

function pathOf(id: string): string {
  return `${PATHS.webhooks}/${id}`;
}

/** `POST /dashboard/webhooks/:id/status`. Whoever makes it active is asked to prove who they are; pausing is always possible. */
export async function webhookStatusPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const status = post.field("status") === "paused" ? "paused" : "active";
  const formPage = cameFrom(post, pathOf(post.param("id")));
  if (status === "active" && !confirmByFactor(post, { formPage })) return;
  await callOperation(services, post, saveWebhook, { webhook_id: post.param("id"), status });
  post.redirect(`${formPage}?done=${status}`);
}

/** `POST /dashboard/webhooks/:id/ping` */
export async function pingWebhookPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  await callOperation(services, post, saveWebhook, { webhook_id: post.param("id"), ping: true });
  post.redirect(`${pathOf(post.param("id"))}?done=ping`);
}

/** `POST /dashboard/webhooks/:id/repeat`: sends all events of the last day again. */
export async function repeatEventsPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const since = new Date(post.now - DAY_MS).toISOString();
  await callOperation(services, post, redeliverEvent, { webhook_id: post.param("id"), since });
  post.redirect(`${pathOf(post.param("id"))}?done=repeated`);
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** `POST /dashboard/webhooks/:id/secret`: makes another secret, and shows it this once. */
export async function rotateSecretPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmByFactor(post, { formPage: pathOf(post.param("id")) })) return;
  const input = { webhook_id: post.param("id"), rotate_secret: true };
  const { secret } = await callOperation(services, post, saveWebhook, input);
  showSecret(post, secret!, "Your new secret", "The one before signs messages too for 24 hours.");
}

/** `POST /dashboard/webhooks/:id/delete` */
export async function deleteWebhookPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  await callOperation(services, post, deleteWebhook, { webhook_id: post.param("id") });
  post.redirect(`${PATHS.webhooks}?done=deleted`);
}

function About({ webhook }: { webhook: Webhook }): VNode {
  const { url, events, description, created_at, last_success_at } = webhook;
  return (
    <Facts
      rows={[
        ["Address", url],
        ["Status", <WebhookState key="status" webhook={webhook} />],
        ["Events", events === null ? "All" : <code key="events">{events.join(" ")}</code>],
        ["For", description === "" ? null : description],
        ["Added", <Time key="added" at={created_at} />],
        ["Last arrival", last_success_at === null ? "None yet" : <Time key="arrival" at={last_success_at} />],
      ]}
    />
  );
}

function Actions({ request, webhook }: { request: SignedInRequest; webhook: Webhook }): VNode {
  const { id, status } = webhook;
  const path = pathOf(id);
  return (
    <>
      <div class="row">
        {status === "active" ? (
          <>
            <Form request={request} action={`${path}/ping`}>
              <Button variant="quiet small">Send a test message</Button>
            </Form>
            <Form request={request} action={`${path}/repeat`}>
              <Button variant="quiet small">Send the events of the last 24 hours again</Button>
            </Form>
            <Form request={request} action={`${path}/status`} hidden={{ status: "paused" }}>
              <Button variant="quiet small">Pause</Button>
            </Form>
          </>
        ) : (
          <Form request={request} action={`${path}/status`} hidden={{ status: "active" }}>
            <Button>Make it active</Button>
          </Form>
        )}
      </div>
      <ConfirmedAction
        request={request}
        label="Make a new secret"
        warning="It is shown once. For 24 hours the old one signs messages too, so that you can switch in time."
        action={`${path}/secret`}
        button="Make a new secret"
      />
      <ConfirmedAction
        request={request}
        label="Delete"
        warning="Nothing more is sent to it, and the list of its deliveries is deleted. The events stay."
        action={`${path}/delete`}
        button="Delete this webhook"
      />
    </>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }): VNode {
  return (
    <Table
      label="Deliveries"
      columns={[
        { head: "Event", cell: ({ type }) => <a href={`/docs/events/${type.replace(".", "_")}`}>{type}</a> },
        { head: "Outcome", cell: outcomeOf },
        { head: "Attempts", isNumber: true, cell: ({ attempts }) => formatNumber(attempts.length) },
        { head: "Last attempt", cell: ({ attempts }) => <LastAttempt attempt={attempts.at(-1)} /> },
        { head: "Next attempt", cell: ({ next_attempt_at: at }) => (at === null ? "–" : <Time at={at} />) },
      ]}
      rows={deliveries}
    />
  );
}

function outcomeOf({ status, attempts }: Delivery): string {
  if (status === "succeeded") return "Arrived";
  const reason = attempts.at(-1)?.reason ?? null;
  if (reason === null) return "On its way";
  return `${status === "failed" ? "Did not arrive" : "Not arrived yet"}: ${failureWords(reason)}`;
}

function LastAttempt({ attempt }: { attempt: Delivery["attempts"][number] | undefined }): VNode {
  if (!attempt) return <>–</>;
  const answer = attempt.status === null ? "no answer" : `HTTP ${attempt.status}`;
  return (
    <>
      <Time at={attempt.at} />, {answer} in {formatNumber(attempt.ms)} ms
    </>
  );
}
