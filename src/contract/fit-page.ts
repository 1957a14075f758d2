import type { z } from "zod";
import { nearestName } from "../platform/nearest.ts";
import type { AnyOperation } from "./operation.ts";
import { invalidInput } from "./parse-input.ts";

/** Most tokens of a page where the caller set no `limit`. */
const DEFAULT_TOKENS = 8_000;
/** Most tokens of any page: hosts cut a tool's result at 25,000, wherever that is. */
const MAX_TOKENS = 20_000;

type Json = Record<string, unknown>;

/**
 * Fits an answer to what a model reads at once, over MCP and A2A. A page of a list keeps only the columns that `fields` names. It
 * ends where it is large enough, and `next_offset` says where the next page begins, unless the page has the last record. An answer
 * of several lists loses the ends of the longest ones, and is then not `complete`. Any other answer is returned as it is.
 * @param input as the caller sent it
 * @throws Refusal invalid_request for a column that does not exist
 */
export function fitPage({ operation, input }: { operation: AnyOperation; input: unknown }, text: string): string {
  const { limit, offset, fields } = (input ?? {}) as Json;
  const list = listOf(operation);
  if (!list) return "complete" in operation.output.shape ? fitLists(text, mostOf(limit)) : text;
  const columns = columnsIn(fields, list.columns);
  const most = mostOf(limit);
  const whole = JSON.parse(text) as Json;
  const records = (whole[list.name] as Json[]).map((record) => (columns ? only(record, columns) : record));
  // A token has at least one character.
  const kept = text.length <= most ? records.length : howMany(records, most - tokensOf({ ...whole, [list.name]: [] }));
  const cut = records.length - kept;
  if (cut === 0 && !columns && !hasMore(whole)) return text;
  const page = { ...whole, [list.name]: records.slice(0, kept), ...(cut > 0 ? moreOf(whole, cut) : {}) };
  if (list.isByCursor || !hasMore(page)) return JSON.stringify(page);
  return JSON.stringify({ ...page, next_offset: Number(offset ?? 0) + kept });
}

function mostOf(limit: unknown): number {
  return limit === undefined ? DEFAULT_TOKENS : MAX_TOKENS;
}

function fitLists(text: string, most: number): string {
  const whole = JSON.parse(text) as Json;
  const lists = Object.values(whole).filter((value): value is unknown[] => Array.isArray(value));
  while (tokensOf(whole) > most) {
    lists.reduce((largest, list) => (tokensOf(list) > tokensOf(largest) ? list : largest)).pop();
    whole.complete = false;
  }
  return JSON.stringify(whole);
}

/** The list of an operation that answers pages, and the columns of its records; null for any other operation. */
export function listOf({ input, output }: AnyOperation): PagedList | null {
  const isByCursor = "after" in input.shape;
  if (!isByCursor && !("offset" in input.shape)) return null;
  const lists = Object.entries(output.shape as Record<string, z.ZodType>).filter(([, { def }]) => def.type === "array");
  const [name, type] = lists[0] as [string, z.ZodArray<z.ZodType>];
  const { element } = type;
  return { name, isByCursor, columns: "shape" in element ? Object.keys(element.shape as object) : [] };
}

/** The list in the answers of an operation. */
interface PagedList {
  readonly name: string;
  /** The next page is asked for by the id of the last record, in place of an offset. */
  readonly isByCursor: boolean;
  readonly columns: readonly string[];
}

/** The columns that a caller asked for, as a list or as words with commas between them; null for all. */
function columnsIn(fields: unknown, known: readonly string[]): readonly string[] | null {
  if (fields === undefined || known.length === 0) return null;
  const names = typeof fields === "string" ? fields.split(",").map((name) => name.trim()) : fields;
  if (!Array.isArray(names) || names.length === 0) throw invalidInput([{ path: "fields", message: "must be a list" }]);
  for (const name of names) {
    if (known.includes(name)) continue;
    const nearest = typeof name === "string" ? nearestName(name, known) : null;
    const hint = nearest ? `; did you mean \`${nearest}\`?` : `, which are ${known.join(", ")}`;
    throw invalidInput([{ path: "fields", message: `names something that is no column${hint}` }]);
  }
  return names;
}

function only(record: Json, columns: readonly string[]): Json {
  return Object.fromEntries(columns.map((name) => [name, record[name]]));
}

/** How many records fit; at least one, so that the next page begins after it. */
function howMany(records: readonly unknown[], tokens: number): number {
  let left = tokens;
  const first = records.findIndex((record) => {
    left -= tokensOf(record);
    return left < 0;
  });
  return first === -1 ? records.length : Math.max(1, first);
}

function hasMore({ has_more: more, urls_remaining: remaining = 0 }: Json): boolean {
  return more === true || (remaining as number) > 0;
}

/** The fields that say that there is more than the page. */
function moreOf(whole: Json, cut: number): Json {
  if ("has_more" in whole) return { has_more: true };
  return { truncated: true, urls_remaining: (whole.urls_remaining as number) + cut };
}

/** Texts from this length on are counted as one token a character. */
const LONG_TEXT = 64;

/** An id in JSON, whose random letters are two characters a token. */
const ID = /"[a-z]{3}_[0-9a-z]{13,}(?:_\d+)?"/g;

/** An upper estimate: our own JSON has three characters a token, an id two, a URL full of percent-codes one. */
function tokensOf(value: unknown): number {
  let long = 0;
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string" && inner.length >= LONG_TEXT) long += inner.length;
    return inner;
  });
  const ids = text.match(ID)?.join("").length ?? 0;
  return Math.ceil((text.length - long - ids) / 3 + ids / 2 + long);
}
