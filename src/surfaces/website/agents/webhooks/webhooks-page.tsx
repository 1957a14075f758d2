import type { VNode } from "preact";
import listWebhooks from "../../../../../tools/list-webhooks.ts";
import saveWebhook from "../../../../../tools/save-webhook.ts";
import type { AnswerOf } from "../../../../contract/operation.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Choice, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Item, ItemList } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { callOperation } from "../../shell/call-operation.ts";
import { dashboardPage, doneMessage } from "../../shell/dashboard-page.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { failureWords, pushConfigsOf, SUBSCRIBED_TYPES, subscriptionsOf } from "../domain.ts";
import { PushConfigs } from "./push-configs.tsx";
import { Subscriptions } from "./subscriptions.tsx";

type Webhook = AnswerOf<typeof listWebhooks>["webhooks"][number];

/** What somebody typed, and why it was refused. */
interface Attempt {
  readonly url: string;
  readonly ticked: readonly string[];
  readonly problem: string;
  readonly status: number;
}

/** `GET /dashboard/webhooks`: the webhooks of the account, and the form to add one. */
export async function webhooksPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showWebhooks(services, request, null);
}

/** `POST /dashboard/webhooks`: adds one, and shows its secret this once. */
export async function addWebhookPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmByFactor(post, { formPage: PATHS.webhooks })) return;
  const url = post.field("url").trim();
  const ticked = post.fields("type");
  const types = SUBSCRIBED_TYPES.filter((type) => ticked.includes(type));
  const events = types.length === 0 || types.length === SUBSCRIBED_TYPES.length ? null : types;
  try {
    const { webhook, secret } = await callOperation(services, post, saveWebhook, { url, events, ping: true });
    if (secret === null) return post.redirect(`${PATHS.webhooks}?done=known#${webhook.id}`);
    showSecret(post, secret, "Your new webhook", "A test message is on its way.");
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    post.res.set(thrown.headers);
    const problem = thrown.code === "invalid_request" ? NO_URL : thrown.message;
    await showWebhooks(services, post, { url, ticked, problem, status: thrown.status });
  }
}

const NO_URL = "Give an address that begins with https://.";

/** Shows a secret, this once. */
export function showSecret(request: SignedInRequest, secret: string, title: string, news: string): void {
  const body = (
    <>
      <Notice>Copy the secret now: it is not shown again. {news}</Notice>
      <p>
        With it your receiver <a href="/docs/webhooks">verifies</a> that a message is from here:
      </p>
      <CodeBlock class="key" text={secret} />
      <p>
        <a href={PATHS.webhooks}>I have copied it. Back to all webhooks</a>
      </p>
    </>
  );
  request.show({ ...dashboardPage({ section: "webhooks", title, body }), showsSecret: true });
}

const DONE = {
  known: "You have a webhook with this address already.",
  deleted: "The webhook is deleted.",
  ended: "The subscription has ended.",
  push: "Nothing more is sent there.",
};

async function showWebhooks(
  services: WebsiteServices,
  request: SignedInRequest,
  attempt: Attempt | null,
): Promise<void> {
  const { webhooks } = await callOperation(services, request, listWebhooks, { limit: SIZES.pageLimit });
  const [subscriptions, configs] = await Promise.all([
    subscriptionsOf(services, request),
    pushConfigsOf(services, request),
  ]);
  const body = (
    <>
      <p>
        A webhook is an address of yours to which <a href="/docs/events">events</a> are sent as they happen: a project
        is completed, links are settled, credits run low. <a href="/docs/webhooks">How to receive them</a>
      </p>
      {webhooks.length > 0 && <h2>Your webhooks</h2>}
      <ItemList>
        {webhooks.map((webhook) => (
          <WebhookItem key={webhook.id} webhook={webhook} />
        ))}
      </ItemList>
      <Subscriptions request={request} subscriptions={subscriptions} />
      <PushConfigs request={request} configs={configs} />
      <h2>Add a webhook</h2>
      <AddForm request={request} attempt={attempt} />
    </>
  );
  const message = doneMessage(request, DONE);
  request.show(dashboardPage({ section: "webhooks", title: "Webhooks", message, body }), attempt?.status);
}

function AddForm({ request, attempt }: { request: SignedInRequest; attempt: Attempt | null }): VNode {
  return (
    <Form request={request} action={PATHS.webhooks}>
      <TextField
        name="url"
        label="Address"
        type="url"
        autocomplete="off"
        value={attempt?.url}
        problem={attempt?.problem}
        maxLength={SIZES.webhookUrl}
        hint="For example https://example.com/hooks/beckon"
      />
      <fieldset>
        <legend>Events</legend>
        <p class="hint">
          Leave all of them unticked to get every event. <a href="/docs/events">What each event says, with examples</a>
        </p>
        {SUBSCRIBED_TYPES.map((type) => (
          <Choice
            key={type}
            type="checkbox"
            name="type"
            value={type}
            isTicked={attempt?.ticked.includes(type) ?? false}
          >
            <code>{type}</code>
          </Choice>
        ))}
      </fieldset>
      <Button>Add webhook</Button>
    </Form>
  );
}

function WebhookItem({ webhook }: { webhook: Webhook }): VNode {
  const { id, url, description, created_at, last_success_at } = webhook;
  return (
    <Item
      title={
        <a id={id} href={`${PATHS.webhooks}/${id}`}>
          {url}
        </a>
      }
      facts={[
        <WebhookState webhook={webhook} />,
        ...(description === "" ? [] : [description]),
        last_success_at === null ? (
          <>
            Added <Time at={created_at} />. Nothing has arrived yet.
          </>
        ) : (
          <>
            Last message arrived <Time at={last_success_at} />
          </>
        ),
      ]}
    />
  );
}

/** Its status, and what has gone wrong last. */
export function WebhookState({ webhook }: { webhook: Webhook }): VNode {
  const { status, last_failure, last_success_at } = webhook;
  const isFailing = last_failure !== null && (last_success_at === null || last_failure.at > last_success_at);
  return (
    <>
      {STATUS_WORDS[status]}
      {isFailing && (
        <>
          {" "}
          The last attempt failed, <Time at={last_failure.at} />: {failureWords(last_failure.reason)}
        </>
      )}
    </>
  );
}

const STATUS_WORDS: Readonly<Record<Webhook["status"], string>> = {
  active: "Active.",
  paused: "Paused: events wait until it is active again.",
  disabled: "Disabled: nothing is sent to it until it is made active again.",
};
