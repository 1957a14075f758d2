import type { ComponentChildren, VNode } from "preact";
import { PACKS, type Pack, POPULAR } from "../../domain/payments/orders/prices.ts";
import { formatDollars, formatNumber } from "../../platform/format.ts";

interface PackCardsProps {
  /** The link or button of a card. */
  readonly action: (pack: Pack, isChosen: boolean) => ComponentChildren;
  /** The id of the pack that is marked as selected; any other text marks none. */
  readonly chosen?: string;
}

/** The packs side by side. */
export function PackCards({ action, chosen = "" }: PackCardsProps): VNode {
  return (
    <div class="cards packs">
      {PACKS.map((pack) => {
        const isChosen = pack.id === chosen;
        return (
          <PackCard key={pack.id} pack={pack} isChosen={isChosen}>
            {action(pack, isChosen)}
          </PackCard>
        );
      })}
    </div>
  );
}

interface PackCardProps {
  readonly pack: Pack;
  readonly isChosen: boolean;
  readonly children: ComponentChildren;
}

function PackCard({ pack: { id, name, credits, amountCents, perLink }, isChosen, children }: PackCardProps): VNode {
  const mark = isChosen ? "selected" : id === POPULAR ? "popular" : null;
  return (
    <div class={isChosen ? "card chosen" : "card"}>
      <h2>{name}</h2>
      <div>
        <strong>{formatDollars(amountCents)}</strong> {formatNumber(credits)} credits
        <br />
        <span class="soft">{perLink} each</span>
      </div>
      {mark && <span class="mark">{mark}</span>}
      {children}
    </div>
  );
}
