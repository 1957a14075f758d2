import type { ComponentChildren, VNode } from "preact";
import { askAt, type Config } from "../../../platform/config/config.ts";
import { formatCount, formatDollars } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { Item, ItemList } from "../components/item-list.tsx";
import { Notice } from "../components/notice.tsx";
import { PackCards } from "../components/pack-cards.tsx";
import { relativeTime, Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { AskAt } from "../shell/deployment.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Order, openOrdersOf, POPULAR, packName, shownMethod } from "./domain.ts";
import { checkoutPath, TestMark } from "./payment.tsx";

/** `/dashboard/buy`: the packs, each with a button; the query parameter `pack` marks one as selected. */
export async function buyPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showBuy(services, request, { chosen: request.query("pack") });
}

export async function showBuy(
  { db, config, payments }: WebsiteServices,
  request: SignedInRequest,
  { chosen, message = null, status }: { chosen: string; message?: ComponentChildren; status?: number },
): Promise<void> {
  const { cards } = payments;
  const { session, now } = request;
  const openOrders = cards
    ? await openOrdersOf({ db }, { accountId: session.accountId, method: cards.method, now })
    : [];
  const body = <BuyView {...{ request, config, cards, openOrders, chosen }} />;
  const page = dashboardPage({
    section: "buy",
    title: config.isSelling ? "Buy credits" : "Get credits",
    message,
    body,
  });
  // The answer to the form redirects to the payment page, which may be on another site.
  request.show({ ...page, forms: cards?.origin ? [cards.origin] : [] }, status);
}

type CardProcessor = NonNullable<WebsiteServices["payments"]["cards"]>;

interface BuyViewProps {
  readonly request: SignedInRequest;
  readonly config: Config;
  readonly cards: CardProcessor | null;
  readonly openOrders: readonly Order[];
  /** The id of the selected pack. */
  readonly chosen: string;
}

function BuyView({ request, config, cards, openOrders, chosen }: BuyViewProps): VNode {
  if (!config.isSelling) return <AskForCredits at={askAt(config)} />;
  return (
    <>
      <p>
        Credits do not expire. Your <a href={PATHS.ledger}>credit history</a> lists every change of your balance.
      </p>
      {cards ? (
        <>
          <AboutCards cards={cards} />
          <PackCards
            packs={config.packs}
            popular={POPULAR}
            chosen={chosen}
            action={({ id, name }, isChosen) => (
              <Form request={request} action={PATHS.buy} hidden={{ pack: id }}>
                <Button variant={isChosen ? undefined : "quiet"}>Buy {name}</Button>
              </Form>
            )}
          />
        </>
      ) : (
        <>
          <Notice>
            You cannot buy credits here: this deployment does not accept cards.{" "}
            {config.direct ? "An agent can pay directly, see below." : "Ask its operator for credits."}
          </Notice>
          <PackCards packs={config.packs} popular={POPULAR} action={() => null} />
        </>
      )}
      {openOrders.length > 0 && (
        <>
          <h2>Open orders</h2>
          <p>An order that is not paid expires. Buying the same pack again continues its open order.</p>
          <ItemList>
            {openOrders.map((order) => (
              <OpenOrder key={order.id} order={order} now={request.now} siteUrl={config.siteUrl} />
            ))}
          </ItemList>
        </>
      )}
      {config.direct && (
        <>
          <h2>For an agent with a wallet</h2>
          <p>
            An agent can pay in the call that buys credits: <a href="/pricing#for-agents-with-a-wallet">how it works</a>
            .
          </p>
        </>
      )}
    </>
  );
}

/** Where nothing is sold. */
function AskForCredits({ at }: { at: string }): VNode {
  return (
    <>
      <Notice>Credits are not sold here: whoever runs this service grants them.</Notice>
      <p>
        Ask for credits at <AskAt at={at} />, and name the address of your account. Credits do not expire.
      </p>
    </>
  );
}

function AboutCards({ cards: { method: id, isLive } }: { cards: CardProcessor }): VNode {
  const { processor, isSandbox } = shownMethod(id);
  if (isSandbox)
    return (
      <Notice>
        <strong>Sandbox.</strong> The payment page is our own, and no money moves.
      </Notice>
    );
  return (
    <>
      {!isLive && (
        <Notice>
          <strong>Test payments.</strong> {processor} takes test cards only, and no money moves.
        </Notice>
      )}
      <p>You pay on a page of {processor} and then return here. We never see your card number.</p>
    </>
  );
}

function OpenOrder({ order, now, siteUrl }: { order: Order; now: number; siteUrl: string }): VNode {
  const { id, pack, credits, amountCents, checkoutUrl, createdAt, expiresAt } = order;
  return (
    <Item
      title={
        <>
          <a href={`${PATHS.orders}/${id}`}>{packName(pack)}</a> <TestMark order={order} />
        </>
      }
      facts={[
        `${formatCount(credits, "credit")} for ${formatDollars(amountCents)}`,
        <>
          Created <Time at={createdAt} />{" "}
          <span class="soft">
            expires <Time at={expiresAt} />, {relativeTime(expiresAt!, now)}
          </span>
        </>,
      ]}
    >
      <p>
        <a href={checkoutPath(checkoutUrl!, siteUrl)}>Continue to payment for {packName(pack)}</a>
      </p>
    </Item>
  );
}
