import type { ComponentChildren, VNode } from "preact";
import { PACKS, type Pack, POPULAR } from "../../../domain/payments/orders/packs.ts";
import { formatDollars, formatNumber } from "../../../platform/format.ts";

interface PackCardsProps {
  /** The link or button of a card. */
  readonly action: (pack: Pack, isChosen: boolean) => ComponentChildren;
  /** The id of the pack that is marked as selected; any other text marks none. */
  readonly chosen?: string;
  /** The level of their names as headings. */
  readonly heading?: "h2" | "h3";
}

/** The packs side by side. */
export function PackCards({ action, chosen = "", heading = "h2" }: PackCardsProps): VNode {
  return (
    <div class="cards packs">
      {PACKS.map((pack) => {
        const isChosen = pack.id === chosen;
        return (
          <PackCard key={pack.id} pack={pack} isChosen={isChosen} heading={heading}>
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
  readonly heading: "h2" | "h3";
  readonly children: ComponentChildren;
}

function PackCard({ pack, isChosen, heading: Heading, children }: PackCardProps): VNode {
  const { id, name, credits, amountCents, perLink } = pack;
  const mark = isChosen ? "selected" : id === POPULAR ? "popular" : null;
  return (
    <div class={isChosen ? "card chosen" : "card"}>
      <Heading>{name}</Heading>
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
