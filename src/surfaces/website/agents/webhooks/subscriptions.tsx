import type { VNode } from "preact";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { ConfirmedAction, Item, ItemList } from "../../components/item-list.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import { endSubscription, idsOf, type Subscription } from "../domain.ts";

/** `POST /dashboard/webhooks/subscriptions/:id/end` */
export async function endSubscriptionPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const isEnded = await endSubscription(request, request.param("id"));
  if (!isEnded) throw new Refusal("not_found", "Your account has no such subscription. It may have ended already.");
  request.redirect(`${PATHS.webhooks}?done=ended`);
}

/** The addresses at which MCP clients are told of events, if any. Of another maker's address only the origin is shown. */
export function Subscriptions({
  request,
  subscriptions,
}: {
  request: SignedInRequest;
  subscriptions: readonly Subscription[];
}): VNode | null {
  if (subscriptions.length === 0) return null;
  return (
    <>
      <h2>Agents that are told of events</h2>
      <p>
        Agents asked for these over MCP. Each ends at its time unless the agent asks again, and at once when the agent
        loses its access.
      </p>
      <ItemList>
        {subscriptions.map((subscription) => (
          <SubscriptionItem key={subscription.id} request={request} subscription={subscription} />
        ))}
      </ItemList>
    </>
  );
}

function SubscriptionItem({ request, subscription }: { request: SignedInRequest; subscription: Subscription }): VNode {
  const { id, url, type, maker, createdAt, expiresAt, suspendedAt } = subscription;
  const about = idsOf(subscription);
  return (
    <Item
      title={
        <>
          <code>{type}</code> to {new URL(url).origin}
        </>
      }
      facts={[
        ...(about.length === 0 ? [] : [`Only of ${about.join(", ")}`]),
        <>
          Made <Time at={createdAt} /> by <a href={`/dashboard/credentials/${maker}`}>a key, app or agent</a>
        </>,
        suspendedAt === null ? (
          <>
            Until <Time at={expiresAt} />, unless it is asked for again
          </>
        ) : (
          "Its address has answered that it is gone: nothing is sent until it is asked for again."
        ),
      ]}
    >
      <ConfirmedAction
        request={request}
        label="End"
        warning="These events are not sent there any more. The agent can ask for them again."
        action={`${PATHS.webhooks}/subscriptions/${id}/end`}
        button="End it"
      />
    </Item>
  );
}
