import type { VNode } from "preact";
import type getReport from "../../../../tools/get-report.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { ExternalLink } from "../components/url-text.tsx";

/** What get_report says of a reason, and get_link of a link. */
export type Advice = Pick<
  AnswerOf<typeof getReport>["groups"][number],
  "meaning" | "cause" | "next_step" | "who" | "basis" | "docs"
>;

/** What is not in the hands of the reader; the rest is. */
const WHO = { you: "", time: "Time will tell.", nobody: "Nobody needs to act." } as const;

/** One thing to do, and who can do it. */
export function NextStep({ advice: { next_step: nextStep, who } }: { advice: Advice }): VNode {
  return (
    <>
      {nextStep} <span class="soft">{WHO[who]}</span>
    </>
  );
}

/** What a reason means, what usually causes it, and where that stands. */
export function Meaning({ advice: { meaning, cause, basis, docs } }: { advice: Advice }): VNode {
  const words = basis === "documented" ? "Documented" : "Observed";
  return (
    <>
      {meaning} {cause} <ExternalLink url={docs}>{words}</ExternalLink>
    </>
  );
}
