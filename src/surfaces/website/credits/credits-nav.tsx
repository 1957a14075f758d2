import type { VNode } from "preact";
import { PATHS } from "../shell/addresses.ts";
import { useIsSelling } from "../shell/deployment.tsx";

/** The pages of the section Credits. */
const LABELS = {
  credits: "Balance",
  orders: "Orders",
  ledger: "Credit history",
  spending: "Spending",
  buy: "Buy credits",
} as const;

type CreditsPage = keyof typeof LABELS;

/** @param current absent on the page of one order, which is not among them */
export function CreditsNav({ current }: { current?: CreditsPage }): VNode {
  const isSelling = useIsSelling();
  return (
    <nav class="filters" aria-label="Credits">
      {(Object.keys(LABELS) as CreditsPage[]).map((name) => (
        <a key={name} href={PATHS[name]} aria-current={name === current ? "true" : undefined}>
          {name === "buy" && !isSelling ? "Get credits" : LABELS[name]}
        </a>
      ))}
    </nav>
  );
}
