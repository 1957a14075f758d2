import type { VNode } from "preact";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { SIZES } from "../../../../platform/limits.ts";
import { Choice, TextArea, TextField } from "../../components/field.tsx";
import type { FormPost } from "../../shell/page-request.ts";
import {
  CHANGED_WORDS,
  INTERVAL_WORDS,
  MODE_WORDS,
  NEW_WORDS,
  RECHECK_WORDS,
  REMOVED_WORDS,
  type Watch,
} from "./watch-words.ts";

/** The fields of the form, as somebody typed and ticked them. */
export interface TypedWatch {
  readonly url: string;
  readonly credits: string;
  readonly most: string;
  /** Patterns, one a line. */
  readonly include: string;
  readonly exclude: string;
  readonly every: Watch["every"];
  readonly newPages: Watch["new_pages"];
  readonly changed: Watch["changed_pages"];
  readonly removed: Watch["removed_pages"];
  readonly mode: Watch["mode"];
  readonly recheck: Watch["recheck"];
  readonly isStopping: boolean;
  readonly first: "baseline" | "submit";
}

export const NEW_WATCH: TypedWatch = {
  ...{ url: "", credits: "1000", most: "100", include: "", exclude: "", every: "day", newPages: "submit" },
  ...{ changed: "notify", removed: "ignore", mode: "standard", recheck: "off", isStopping: false, first: "baseline" },
};

/** A watch as its form shows it. */
export function typedOf(watch: Watch): TypedWatch {
  return {
    ...NEW_WATCH,
    ...{ url: watch.sitemap_url, credits: String(watch.credits_per_month), most: String(watch.most_per_run) },
    ...{ include: watch.include.join("\n"), exclude: watch.exclude.join("\n"), every: watch.every },
    ...{ newPages: watch.new_pages, changed: watch.changed_pages, removed: watch.removed_pages, mode: watch.mode },
    ...{ recheck: watch.recheck, isStopping: watch.stop_when_indexed },
  };
}

export function typedIn(post: FormPost): TypedWatch {
  const oneOf = <Word extends string>(name: string, words: Readonly<Record<Word, string>>, preset: Word): Word => {
    const given = post.field(name);
    return Object.hasOwn(words, given) ? (given as Word) : preset;
  };
  return {
    url: post.field("url").trim(),
    credits: post.field("credits").trim(),
    most: post.field("most").trim(),
    include: post.field("include").trim(),
    exclude: post.field("exclude").trim(),
    every: oneOf("every", INTERVAL_WORDS, "day"),
    newPages: oneOf("new", NEW_WORDS, "submit"),
    changed: oneOf("changed", CHANGED_WORDS, "notify"),
    removed: oneOf("removed", REMOVED_WORDS, "ignore"),
    mode: oneOf("mode", MODE_WORDS, "standard"),
    recheck: oneOf("recheck", RECHECK_WORDS, "off"),
    isStopping: post.field("stop") === "yes",
    first: post.field("first") === "submit" ? "submit" : "baseline",
  };
}

/** The settings of a call of watch_sitemap; a number that is none is one that the operation refuses. */
export function settingsIn(typed: TypedWatch) {
  const number = (text: string) => (/^\d{1,8}$/.test(text) ? Number(text) : -1);
  const { every, mode, recheck } = typed;
  return {
    ...{ every, mode, recheck, new_pages: typed.newPages, changed_pages: typed.changed, removed_pages: typed.removed },
    ...{ include: patternsIn(typed.include), exclude: patternsIn(typed.exclude) },
    ...{ credits_per_month: number(typed.credits), most_per_run: number(typed.most) },
    stop_when_indexed: typed.isStopping,
  };
}

function patternsIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What is wrong, by field; `form` is about none of them. */
export type Problems = Partial<Record<"url" | "credits" | "most" | "include" | "exclude" | "form", string>>;

const FIELDS: Readonly<Record<string, keyof Problems>> = {
  sitemap_url: "url",
  credits_per_month: "credits",
  most_per_run: "most",
  include: "include",
  exclude: "exclude",
};

const WORDS: Problems = {
  url: "Give the address of a sitemap, which begins with https://.",
  credits: "Give a whole number of credits a month.",
  most: "Give a whole number from 1 to 10,000.",
};

/** Why a form was refused. @throws what is no refusal */
export function problemsOf(thrown: unknown, typed: TypedWatch): { problems: Problems; status: number } {
  if (!(thrown instanceof Refusal)) throw thrown;
  const { issues = [] } = thrown.fields as { issues?: readonly { path: string; message: string }[] };
  const problems: Record<string, string> = {};
  for (const { path, message } of issues) {
    const [name = "", at] = path.split(/[.[]/, 2);
    const field = FIELDS[name];
    if (!field || problems[field]) continue;
    const lines = field === "include" || field === "exclude" ? patternsIn(typed[field]) : [];
    const line = lines[Number.parseInt(at ?? "", 10)];
    if (message === "too many watches") problems.form = thrown.message;
    else if (lines.length > 0) problems[field] = line ? `“${line}”: ${message}.` : `${message}.`;
    else problems[field] = WORDS[field] ?? message;
  }
  if (Object.keys(problems).length === 0) problems.form = thrown.message;
  return { problems, status: thrown.status };
}

interface FieldsProps {
  readonly typed: TypedWatch;
  readonly problems: Problems;
}

/** What is watched for, how often, and what it may cost. */
export function WatchFields({ typed, problems, isNew = false }: FieldsProps & { readonly isNew?: boolean }): VNode {
  const { include, exclude, mode, removed } = typed;
  const isPreset = include + exclude === "" && mode === NEW_WATCH.mode && removed === NEW_WATCH.removed;
  const isLong = !isPreset || problems.include !== undefined || problems.exclude !== undefined;
  return (
    <>
      {isNew && (
        <TextField
          name="url"
          label="Address of the sitemap"
          type="url"
          autocomplete="off"
          value={typed.url}
          problem={problems.url}
          maxLength={SIZES.sitemapUrl}
          hint="For example https://example.com/sitemap.xml"
        />
      )}
      <TextField
        name="credits"
        label="Credits a month, at most"
        type="number"
        autocomplete="off"
        value={typed.credits}
        problem={problems.credits}
        maxLength={8}
      />
      <TextField
        name="most"
        label="Pages in one run, at most"
        type="number"
        autocomplete="off"
        value={typed.most}
        problem={problems.most}
        hint="The rest waits for the next run, the oldest first."
        maxLength={5}
      />
      <Choices legend="Read it" name="every" words={INTERVAL_WORDS} chosen={typed.every} />
      <Choices legend="New pages are" name="new" words={NEW_WORDS} chosen={typed.newPages} />
      <Choices legend="Changed pages are" name="changed" words={CHANGED_WORDS} chosen={typed.changed} />
      {isNew && (
        <Choices
          legend="The pages that it lists now"
          name="first"
          words={{ baseline: "count as known: only later ones are new", submit: "are all new, and submitted" }}
          chosen={typed.first}
        />
      )}
      <Choices legend="Indexed pages are" name="recheck" words={RECHECK_WORDS} chosen={typed.recheck} />
      <Choice type="checkbox" name="stop" isTicked={typed.isStopping}>
        Do not look a page up any more once such a look has found it
      </Choice>
      <details open={isLong}>
        <summary>More: instant, removed pages, only some of the pages</summary>
        <Choices legend="Submitting is" name="mode" words={MODE_WORDS} chosen={typed.mode} />
        <Choices legend="Removed pages are" name="removed" words={REMOVED_WORDS} chosen={typed.removed} />
        <Patterns name="include" label="Only these paths" {...{ typed, problems }} />
        <Patterns name="exclude" label="Never these paths" {...{ typed, problems }} />
      </details>
    </>
  );
}

function Patterns({
  name,
  label,
  typed,
  problems,
}: FieldsProps & { name: "include" | "exclude"; label: string }): VNode {
  const example = name === "include" ? "/blog/*" : "*.pdf$";
  const hint = `One a line, as in robots.txt, for example ${example}. ${name === "include" ? "Empty: all pages. With other patterns, the pages that the sitemap lists then count as known." : ""}`;
  return (
    <TextArea name={name} label={label} rows={4} value={typed[name]} problem={problems[name]} hint={hint.trim()} />
  );
}

interface ChoicesProps {
  readonly legend: string;
  readonly name: string;
  readonly words: Readonly<Record<string, string>>;
  readonly chosen: string;
}

function Choices({ legend, name, words, chosen }: ChoicesProps): VNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {Object.entries(words).map(([value, text]) => (
        <Choice key={value} type="radio" name={name} value={value} isTicked={value === chosen}>
          {text}
        </Choice>
      ))}
    </fieldset>
  );
}
