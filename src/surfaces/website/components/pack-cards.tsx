import type { ComponentChildren, VNode } from "preact";
import { formatCount, formatDollars } from "../../../platform/format.ts";

/** A pack as a card shows it. */
interface Pack {
  readonly id: string;
  readonly name: string;
  readonly credits: number;
  readonly amountCents: number;
  /** The price of one link, in words. */
  readonly perLink: string;
}

interface PackCardsProps<P extends Pack> {
  readonly packs: readonly P[];
  /** The id of the one that most choose. */
  readonly popular: string;
  /** The link or button of a card. */
  readonly action: (pack: P, isChosen: boolean) => ComponentChildren;
  /** The id of the pack that is marked as selected; any other text marks none. */
  readonly chosen?: string;
  /** The level of their names as headings. */
  readonly heading?: "h2" | "h3";
}

/** The packs side by side. */
export function PackCards<P extends Pack>({
  packs,
  popular,
  action,
  chosen = "",
  heading = "h2",
}: PackCardsProps<P>): VNode {
  return (
    <div class="cards packs">
      {packs.map((pack) => {
        const isChosen = pack.id === chosen;
        return (
          <PackCard key={pack.id} pack={pack} isChosen={isChosen} isPopular={pack.id === popular} heading={heading}>
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
  readonly isPopular: boolean;
  readonly heading: "h2" | "h3";
  readonly children: ComponentChildren;
}

function PackCard({ pack, isChosen, isPopular, heading: Heading, children }: PackCardProps): VNode {
  const { name, credits, amountCents, perLink } = pack;
  const mark = isChosen ? "selected" : isPopular ? "popular" : null;
  return (
    <div class={isChosen ? "card chosen" : "card"}>
      <Heading>{name}</Heading>
      <div>
        <strong>{formatDollars(amountCents)}</strong> {formatCount(credits, "credit")}
        <br />
        <span class="soft">{perLink} each</span>
      </div>
      {mark && <span class="mark">{mark}</span>}
      {children}
    </div>
  );
}
