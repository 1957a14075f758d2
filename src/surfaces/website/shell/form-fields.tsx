import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { Choice, TextArea, TextField } from "../components/field.tsx";
import type { FormPost } from "./page-request.ts";

/** What a form asks for, by the names of its fields: how each is shown, what stands in it first, and what is said of a wrong value. */
export type FormFields = Readonly<Record<string, FormField>>;

type FormField = Line | Lines | OneOf | Tick;

interface Field {
  /** The label, or the legend of a choice. */
  readonly label: string;
  /** The field of an operation's input that it becomes; by default the field of the same name. */
  readonly input?: string;
  readonly hint?: string;
  /** What is said of a refused value, where the operation speaks to programs. */
  readonly problem?: string;
}

/** One line of text. */
interface Line extends Field {
  readonly kind: "line";
  readonly preset: string;
  readonly type?: "text" | "number" | "url" | "date";
  readonly maxLength: number;
  readonly isOptional?: boolean;
}

/** A list, an entry a line. */
interface Lines extends Field {
  readonly kind: "lines";
  readonly preset: string;
  readonly rows: number;
}

/** One of several words, each with what it means. */
interface OneOf extends Field {
  readonly kind: "choice";
  readonly preset: string;
  readonly words: Readonly<Record<string, string>>;
}

interface Tick extends Field {
  readonly kind: "tick";
  readonly preset: boolean;
}

/** What stands in the fields. */
export type Typed<F extends FormFields> = { readonly [Name in keyof F]: TypedInto<F[Name]> };

type TypedInto<One> = One extends Tick
  ? boolean
  : One extends { readonly words: Readonly<Record<infer Word, string>> }
    ? Word
    : string;

/** What is wrong, by field; `form` is about none of them. */
export type FormProblems<F extends FormFields> = { readonly [Name in keyof F | "form"]?: string };

/** What stands in the fields of a form that nobody has filled in. */
export function presetsOf<F extends FormFields>(fields: F): Typed<F> {
  return mapped(fields, ({ preset }) => preset);
}

/** What was typed, ticked and chosen in a form that was sent; a word that is none of the choice is its preset. */
export function typedIn<F extends FormFields>(fields: F, post: FormPost): Typed<F> {
  return mapped(fields, (field, name) => {
    if (field.kind === "tick") return post.field(name) === "yes";
    if (field.kind !== "choice") return post.field(name).trim();
    const word = post.field(name);
    return Object.hasOwn(field.words, word) ? word : field.preset;
  });
}

function mapped<F extends FormFields>(fields: F, read: (field: FormField, name: string) => string | boolean): Typed<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, read(field, name)])) as Typed<F>;
}

/** The entries of a list that was typed. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Why an operation refused what was typed, each reason at its field. @throws what is no refusal */
export function problemsIn<F extends FormFields>(
  fields: F,
  typed: Typed<F>,
  thrown: unknown,
): { problems: FormProblems<F>; status: number } {
  if (!(thrown instanceof Refusal)) throw thrown;
  const { issues = [] } = thrown.fields as { issues?: readonly { path: string; message: string }[] };
  const problems: Record<string, string> = {};
  for (const { path, message } of issues) {
    const [input = "", at] = path.split(/[.[]/, 2);
    const [name, field] = Object.entries(fields).find(([name, field]) => (field.input ?? name) === input) ?? [];
    if (!field || !name || problems[name]) continue;
    problems[name] =
      field.kind === "lines" ? lineProblem(String(typed[name]), at, message) : (field.problem ?? message);
  }
  if (Object.keys(problems).length === 0) problems.form = thrown.message;
  return { problems: problems as FormProblems<F>, status: thrown.status };
}

/** @param at "3]", of the entry that is wrong; absent: it is the list */
function lineProblem(text: string, at: string | undefined, message: string): string {
  const line = linesOf(text)[Number.parseInt(at ?? "", 10)];
  return line ? `“${line}”: ${message}.` : `${message}.`;
}

interface FieldOfProps<F extends FormFields> {
  readonly fields: F;
  readonly name: keyof F & string;
  readonly typed: Typed<F>;
  readonly problems?: FormProblems<F>;
}

/** One field of a form with what stands in it, and what is wrong with that. */
export function FieldOf<F extends FormFields>({ fields, name, typed, problems = {} }: FieldOfProps<F>): VNode {
  const field = fields[name]!;
  const { label, hint } = field;
  const value = typed[name] as string | boolean;
  const problem = (problems as Readonly<Record<string, string | undefined>>)[name];
  switch (field.kind) {
    case "line": {
      const { type = "text", maxLength, isOptional } = field;
      const shown = { name, label, hint, problem, type, maxLength, isOptional, value: String(value) };
      return <TextField {...shown} autocomplete="off" />;
    }
    case "lines":
      return <TextArea {...{ name, label, hint, problem, rows: field.rows, value: String(value) }} />;
    case "tick":
      return (
        <Choice type="checkbox" name={name} isTicked={value === true} hint={hint}>
          {label}
        </Choice>
      );
    case "choice":
      return (
        <fieldset>
          <legend>{label}</legend>
          {Object.entries(field.words).map(([word, text]) => (
            <Choice key={word} type="radio" name={name} value={word} isTicked={word === value}>
              {text}
            </Choice>
          ))}
        </fieldset>
      );
  }
}
