import type { VNode } from "preact";
import type runWatch from "../../../../../tools/run-watch.ts";
import type { AnswerOf } from "../../../../contract/operation.ts";
import { formatCount, formatNumber } from "../../../../platform/format.ts";
import { Facts } from "../../components/facts.tsx";
import { Notice } from "../../components/notice.tsx";
import { reasonWords, type Watch } from "./watch-words.ts";

export type DryRunResult = AnswerOf<typeof runWatch>["run"];

/** What a run would do and cost now, as a dry run has told. */
export function DryRun({ watch, run }: { readonly watch: Watch; readonly run: DryRunResult }): VNode {
  const { examples } = run;
  return (
    <section id="dry-run">
      <h2>What a run would do now</h2>
      <Notice>{wordsOf(run)} Nothing was changed by this dry run, and it has cost nothing.</Notice>
      {run.result !== "failed" && (
        <Facts
          isInline
          rows={[
            ["New", formatNumber(run.new)],
            ["Changed", formatNumber(run.changed)],
            ["Gone", formatNumber(run.removed)],
            ["Same", formatNumber(run.same)],
            ["Would be submitted", formatCount(run.submitted, "page")],
            ["Would wait", run.waiting > 0 ? formatCount(run.waiting, "page") : null],
            ["Would cost", formatCount(run.credits_spent, "credit")],
            ["Left of the month", formatCount(leftOf(watch), "credit")],
          ]}
        />
      )}
      {examples && <Examples title="New, for example" urls={examples.new} />}
      {examples && <Examples title="Changed, for example" urls={examples.changed} />}
      {examples && <Examples title="Gone, for example" urls={examples.removed} />}
    </section>
  );
}

function leftOf({ credits_per_month: most, spent_this_month: spent }: Watch): number {
  return Math.max(0, most - spent);
}

function wordsOf({ result, reason, submitted }: DryRunResult): string {
  const why = reason === null ? "" : ` ${reasonWords(reason)}`;
  if (result === "failed") return `The sitemap could not be read.${why}`;
  if (result === "held") return `A run would do nothing, and wait for you.${why}`;
  if (submitted > 0) return `A run would submit ${formatCount(submitted, "page")}.${why}`;
  return `A run would submit nothing.${why}`;
}

function Examples({ title, urls }: { readonly title: string; readonly urls: readonly string[] }): VNode | null {
  if (urls.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {urls.map((url) => (
          <li key={url} class="url">
            {url}
          </li>
        ))}
      </ul>
    </>
  );
}
