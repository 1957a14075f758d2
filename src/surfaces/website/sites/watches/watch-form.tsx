import type { VNode } from "preact";
import type { Refusal } from "../../../../platform/errors/errors.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import {
  FieldOf,
  type FormFields,
  type FormProblems,
  linesOf,
  presetsOf,
  problemsIn,
  type Typed,
} from "../../shell/form-fields.tsx";
import {
  CHANGED_WORDS,
  INTERVAL_WORDS,
  MODE_WORDS,
  NEW_WORDS,
  RECHECK_WORDS,
  REMOVED_WORDS,
  type Watch,
} from "./watch-words.ts";

const PATTERNS_HINT = "One per line, as in robots.txt, for example";

/** The fields of a watch; `input` is the name in watch_sitemap. */
export const WATCH_FIELDS = {
  url: {
    kind: "line",
    label: "Address of the sitemap",
    input: "sitemap_url",
    preset: "",
    type: "url",
    maxLength: SIZES.sitemapUrl,
    hint: "For example https://example.com/sitemap.xml",
    problem: "Give the address of a sitemap, which begins with https://.",
  },
  credits: {
    kind: "line",
    label: "Credits a month, at most",
    input: "credits_per_month",
    preset: "1000",
    type: "number",
    maxLength: 8,
    problem: "Give a whole number of credits a month.",
  },
  most: {
    kind: "line",
    label: "Pages in one run, at most",
    input: "most_per_run",
    preset: "100",
    type: "number",
    maxLength: 5,
    hint: "The rest waits for the next run, the oldest first.",
    problem: "Give a whole number from 1 to 10,000.",
  },
  every: { kind: "choice", label: "Read it", preset: "day", words: INTERVAL_WORDS },
  new: { kind: "choice", label: "New pages are", input: "new_pages", preset: "submit", words: NEW_WORDS },
  changed: {
    kind: "choice",
    label: "Changed pages are",
    input: "changed_pages",
    preset: "notify",
    words: CHANGED_WORDS,
  },
  first: {
    kind: "choice",
    label: "The pages that it lists now",
    input: "first_run",
    preset: "baseline",
    words: { baseline: "count as known: only later ones are new", submit: "are all new, and submitted" },
  },
  recheck: { kind: "choice", label: "Indexed pages are", preset: "off", words: RECHECK_WORDS },
  stop: {
    kind: "tick",
    label: "Stop looking a page up once it was found",
    input: "stop_when_indexed",
    preset: false,
  },
  mode: { kind: "choice", label: "Submitting is", preset: "standard", words: MODE_WORDS },
  removed: {
    kind: "choice",
    label: "Removed pages are",
    input: "removed_pages",
    preset: "ignore",
    words: REMOVED_WORDS,
  },
  include: {
    kind: "lines",
    label: "Only these paths",
    preset: "",
    rows: 4,
    hint: `${PATTERNS_HINT} /blog/*. Empty: all pages. With other patterns, the pages that the sitemap lists then count as known.`,
  },
  exclude: { kind: "lines", label: "Never these paths", preset: "", rows: 4, hint: `${PATTERNS_HINT} *.pdf$.` },
} as const satisfies FormFields;

export type TypedWatch = Typed<typeof WATCH_FIELDS>;

export type Problems = FormProblems<typeof WATCH_FIELDS>;

export const NEW_WATCH: TypedWatch = presetsOf(WATCH_FIELDS);

/** A watch as its form shows it. */
export function typedOf(watch: Watch): TypedWatch {
  return {
    ...NEW_WATCH,
    ...{ url: watch.sitemap_url, credits: String(watch.credits_per_month), most: String(watch.most_per_run) },
    ...{ include: watch.include.join("\n"), exclude: watch.exclude.join("\n"), every: watch.every },
    ...{ new: watch.new_pages, changed: watch.changed_pages, removed: watch.removed_pages, mode: watch.mode },
    ...{ recheck: watch.recheck, stop: watch.stop_when_indexed },
  };
}

/** The settings of a call of watch_sitemap. A text that is no number becomes a value that the operation refuses. */
export function settingsIn(typed: TypedWatch) {
  const number = (text: string) => (/^\d{1,8}$/.test(text) ? Number(text) : -1);
  const { every, mode, recheck } = typed;
  return {
    ...{ every, mode, recheck, new_pages: typed.new, changed_pages: typed.changed, removed_pages: typed.removed },
    ...{ include: linesOf(typed.include), exclude: linesOf(typed.exclude) },
    ...{ credits_per_month: number(typed.credits), most_per_run: number(typed.most) },
    stop_when_indexed: typed.stop,
  };
}

/** Why a form was refused. @throws what is no refusal */
export function problemsOf(thrown: unknown, typed: TypedWatch): { problems: Problems; status: number } {
  const refused = problemsIn(WATCH_FIELDS, typed, thrown);
  const { message, fields } = thrown as Refusal;
  const { issues = [] } = fields as { issues?: readonly { message: string }[] };
  // The operation reports this at the address, although it would refuse any address.
  const isFull = issues.some((issue) => issue.message === "too many watches");
  return isFull ? { ...refused, problems: { form: message } } : refused;
}

interface FieldsProps {
  readonly typed: TypedWatch;
  readonly problems: Problems;
  readonly isNew?: boolean;
}

/** What most watches need; the rest is folded. */
const CHOICES = ["new", "every", "credits"] as const;
const REST = ["most", "changed", "first", "recheck", "stop", "mode", "removed", "include", "exclude"] as const;

/** Three choices: what becomes of new pages, how often the sitemap is read, and what a month may cost. */
export function WatchFields({ typed, problems, isNew = false }: FieldsProps): VNode {
  const rest = REST.filter((name) => isNew || name !== "first");
  const isLong = rest.some((name) => typed[name] !== NEW_WATCH[name] || problems[name] !== undefined);
  return (
    <>
      {CHOICES.map((name) => (
        <FieldOf key={name} fields={WATCH_FIELDS} {...{ name, typed, problems }} />
      ))}
      <details open={isLong}>
        <summary>More: changed and removed pages, later looks, instant, only some of the pages</summary>
        {rest.map((name) => (
          <FieldOf key={name} fields={WATCH_FIELDS} {...{ name, typed, problems }} />
        ))}
      </details>
    </>
  );
}
