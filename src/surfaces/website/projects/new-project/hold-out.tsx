import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../../platform/check-days.ts";
import { formatCount } from "../../../../platform/format.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { Choice } from "../../components/field.tsx";
import { costOf, URLS_CHECKED_PER_CREDIT } from "../domain.ts";
import type { Count } from "./count.ts";
import { type Draft, HOLDOUTS } from "./draft.ts";

/** The fold of the form in which pages are held out, with what that means and costs. */
export function HoldOut({ draft, problem }: { readonly draft: Draft; readonly problem: string | null }): VNode {
  const { holdout_percent: percent } = draft;
  const price = formatCount(costOf("holdout", 1), "credit");
  return (
    <details open={percent !== "0" || problem !== null}>
      <summary>Measure whether it helped</summary>
      <fieldset class="beside">
        <legend>Hold out</legend>
        <p class="hint">
          Some pages, chosen at random, are not sent. They are looked up on day {CHECK_DAYS.first} and day{" "}
          {CHECK_DAYS.final} like the others, so you see what sending changed. Every {URLS_CHECKED_PER_CREDIT} pages
          held out cost {price} for the lookups, and nothing for sending. At least {SIZES.fewestHeld} pages have to be
          held out.
        </p>
        {problem && (
          <span class="problem" id="holdout-problem">
            {problem}
          </span>
        )}
        {HOLDOUTS.map((share) => (
          <Choice key={share} type="radio" name="holdout_percent" value={share} isTicked={percent === share}>
            {share === "0" ? "No pages" : `${share} %`}
          </Choice>
        ))}
      </fieldset>
    </details>
  );
}

/** What is agreed to by submitting pages of which some are held out. */
export function AboutHeld({ experiment }: { readonly experiment: NonNullable<Count["experiment"]> }): VNode {
  return (
    <p>
      {formatCount(experiment.held, "page")}, chosen at random, will not be sent. On day {CHECK_DAYS.final} the page of
      the project says whether more of the sent pages are in Google. After that you can submit the rest.
    </p>
  );
}
