import { newId } from "../../../../platform/ids.ts";
import { type Entry, entriesOf, formatOf, linesText } from "../../../../platform/urls/entries.ts";
import type { FormPost, ListPost } from "../../shell/page-request.ts";

/** What somebody typed into the form of a new project; fields are named as the inputs of the operations are. */
export interface Draft {
  readonly source: "list" | "sitemap";
  readonly urls: string;
  readonly sitemap_url: string;
  readonly skip_already_submitted: boolean;
  readonly kind: Kind;
  readonly name: string;
  readonly bing: boolean;
  readonly yandex: boolean;
  readonly drip_days: string;
  readonly skip_indexed: boolean;
  /** The idempotency key, made when the form was first shown: sent twice, it spends once. */
  readonly key: string;
}

export const KINDS = ["standard", "instant", "check"] as const;
export type Kind = (typeof KINDS)[number];

export const DRIP_DAYS = ["0", "3", "7", "14", "30"] as const;

export function newDraft(kind: string): Draft {
  return {
    ...{ source: "list", urls: "", sitemap_url: "", skip_already_submitted: false, kind: kindOf(kind), name: "" },
    ...{ bing: true, yandex: true, drip_days: "0", skip_indexed: false, key: newKey() },
  };
}

export function newKey(): string {
  return newId("form");
}

/** The draft in a form, with the entries of its file appended to those that were typed. */
export function draftIn(post: ListPost): Draft {
  const file = entriesOf(post.file?.text ?? "", formatOf(post.file?.name ?? ""));
  const typed = post.field("urls");
  const is = (name: string) => post.field(name) === "yes";
  return {
    source: post.field("source") === "sitemap" ? "sitemap" : "list",
    urls: file.length === 0 ? typed : `${typed}${/(^|\n)$/.test(typed) ? "" : "\n"}${linesText(file)}`,
    sitemap_url: post.field("sitemap_url").trim(),
    skip_already_submitted: is("skip_already_submitted"),
    kind: kindOf(post.field("kind")),
    name: post.field("name").trim(),
    bing: is("bing"),
    yandex: is("yandex"),
    drip_days: post.field("drip_days") || "0",
    skip_indexed: is("skip_indexed"),
    key: keyIn(post),
  };
}

/** The draft as hidden fields, from which `draftIn` reads it again. */
export function fieldsOf(draft: Draft): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(draft)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => [name, value === true ? "yes" : String(value)]),
  );
}

export function entriesIn({ urls }: Draft): Entry[] {
  return entriesOf(urls);
}

/** The input of submit_urls, of submit_sitemap or of check_urls, which take what they know of it. */
export function inputOf(draft: Draft, entries: readonly Entry[]): Readonly<Record<string, unknown>> {
  const { source, kind, name, sitemap_url, skip_already_submitted, bing, yandex, drip_days, skip_indexed } = draft;
  const what = source === "list" ? { urls: entries.map(({ text }) => text) } : { sitemap_url, skip_already_submitted };
  const named = name === "" ? what : { ...what, name };
  return kind === "check" ? named : { ...named, mode: kind, bing, yandex, drip_days: Number(drip_days), skip_indexed };
}

function kindOf(text: string): Kind {
  return KINDS.find((kind) => kind === text) ?? "standard";
}

/** A form that was sent without a key of ours gets one. */
function keyIn(post: FormPost): string {
  const key = post.field("key");
  return /^form_[0-9a-z]{20}$/.test(key) ? key : newKey();
}
