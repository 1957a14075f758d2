import { iso } from "../../../../platform/clock.ts";
import { formatCount } from "../../../../platform/format.ts";
import { newId } from "../../../../platform/ids.ts";
import { UnreadableList } from "../../../../platform/lists/limits.ts";
import type { List } from "../../../../platform/lists/list.ts";
import { withList, withSchemes } from "../../../../platform/lists/list-lines.ts";
import { readListWithPauses } from "../../../../platform/lists/read-list.ts";
import { withPauses } from "../../../../platform/lists/steps.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { Slices } from "../../../../platform/slices.ts";
import { cut } from "../../../../platform/text.ts";
import { normaliseUrl } from "../../../../platform/urls/urls.ts";
import type { KeptFields } from "../../shell/kept-list.ts";
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
  /** The percentage of pages that are held out, to measure whether sending helps; "0": none. */
  readonly holdout_percent: string;
  /** The idempotency key, made when the form was first shown: sent twice, it spends once. */
  readonly key: string;
}

export const KINDS = ["standard", "instant", "check"] as const;
export type Kind = (typeof KINDS)[number];

export const DRIP_DAYS = ["0", "3", "7", "14", "30"] as const;

export const HOLDOUTS = ["0", "10", "20", "30", "50"] as const;

export function newDraft(kind: string): Draft {
  return {
    ...{ source: "list", urls: "", sitemap_url: "", skip_already_submitted: false, kind: kindOf(kind), name: "" },
    ...{ bing: true, yandex: true, drip_days: "0", skip_indexed: false, holdout_percent: "0", key: newKey() },
  };
}

export function newKey(): string {
  return newId("form");
}

/** A list, or why it cannot be read. */
export type ReadOrNot = { readonly list: List } | { readonly problem: string };

/** The list in the file of a form; null: no file was chosen. */
export async function fileIn({ file }: ListPost): Promise<ReadOrNot | null> {
  return file && readOrNot(file.bytes);
}

/** The list that was typed. */
export function listIn({ urls }: Draft): Promise<ReadOrNot> {
  return readOrNot(urls);
}

/** What the button says that adds schemes. */
export function addHttps(lines: number): string {
  return `Add https:// to ${formatCount(lines, "line")}`;
}

async function withHttps(text: string): Promise<string> {
  const read = await readOrNot(text);
  return "list" in read ? withPauses(withSchemes(text, read.list.offered), new Slices()) : text;
}

/** A long list lets other requests go on in between. */
async function readOrNot(source: string | Uint8Array): Promise<ReadOrNot> {
  try {
    return { list: await readListWithPauses(source, new Slices()) };
  } catch (thrown) {
    if (thrown instanceof UnreadableList) return { problem: thrown.what };
    throw thrown;
  }
}

/** The draft in a form, with the URLs of its file added to what was typed. */
export async function draftIn(post: ListPost, known?: ReadOrNot | null): Promise<Draft> {
  const file = known === undefined ? await fileIn(post) : known;
  const typed = post.field("urls");
  const all = file && "list" in file ? await withPauses(withList(typed, file.list), new Slices()) : typed;
  const urls = post.field("add_https") === "yes" ? await withHttps(all) : all;
  return draftOf({ field: (name) => (name === "urls" ? urls : post.field(name)) });
}

/** The draft in fields. */
function draftOf({ field }: Pick<FormPost, "field">): Draft {
  const is = (name: string) => field(name) === "yes";
  return {
    source: field("source") === "sitemap" ? "sitemap" : "list",
    urls: field("urls"),
    sitemap_url: field("sitemap_url").trim(),
    skip_already_submitted: is("skip_already_submitted"),
    kind: kindOf(field("kind")),
    name: field("name").trim(),
    bing: is("bing"),
    yandex: is("yandex"),
    drip_days: field("drip_days") || "0",
    skip_indexed: is("skip_indexed"),
    holdout_percent: field("holdout_percent") || "0",
    key: keyIn(field("key")),
  };
}

/** The draft that a browser has kept; null where it has none, or keeps it by itself. */
export function keptDraft(kept: KeptFields | null): Draft | null {
  if (kept === null || Object.keys(kept).length === 0) return null;
  return draftOf({ field: (name) => (Object.hasOwn(kept, name) ? kept[name]! : "") });
}

/** The draft as hidden fields, from which `draftIn` reads it again. */
export function fieldsOf(draft: Draft): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(draft)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => [name, value === true ? "yes" : String(value)]),
  );
}

/**
 * The input of submit_urls, of submit_sitemap or of check_urls, which take what they know of it. Where no name was typed, it is
 * the host and the day.
 * @param now real time: the second of two clicks sends the same name
 */
export function inputOf(draft: Draft, urls: readonly string[], now: number): Readonly<Record<string, unknown>> {
  const { source, kind, name, sitemap_url, skip_already_submitted, bing, yandex, drip_days, skip_indexed } = draft;
  const what = source === "list" ? { urls } : { sitemap_url, skip_already_submitted };
  const host = hostIn(source === "list" ? urls : [sitemap_url]);
  const byDay = host && cut(`${host}, ${iso(now).slice(0, 10)}`, SIZES.projectName);
  const named = { ...what, name: name || byDay };
  const how = { mode: kind, bing, yandex, drip_days: Number(drip_days), skip_indexed };
  return kind === "check" ? named : { ...named, ...how, ...holdoutOf(draft) };
}

/** The hold-out of a draft, as the operations take it. */
export function holdoutOf({ kind, holdout_percent }: Draft): { readonly holdout_percent?: number } {
  return kind === "check" || holdout_percent === "0" ? {} : { holdout_percent: Number(holdout_percent) };
}

/** The host of the first URL; "" where there is none, which the operation refuses. */
function hostIn(urls: readonly string[]): string {
  for (const url of urls) {
    const normal = normaliseUrl(url);
    if (normal !== null) return new URL(normal).hostname;
  }
  return "";
}

function kindOf(text: string): Kind {
  return KINDS.find((kind) => kind === text) ?? "standard";
}

/** A form that was sent without a key of ours gets one. */
function keyIn(key: string): string {
  return /^form_[0-9a-z]{20}$/.test(key) ? key : newKey();
}
