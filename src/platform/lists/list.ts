import { SIZES } from "../sizes.ts";
import { codePoints } from "../text.ts";
import { INVALID_REASONS, invalidReason, UrlListBuilder } from "../urls/urls.ts";
import { privateHost, withHttps } from "./addresses.ts";
import type { Found, ListFormat } from "./format.ts";

/** What a pasted text or a file comes to: urls + duplicates + refused + offered = entries. */
export interface List {
  /** An index lists sitemaps and not pages: it has no entries. */
  readonly format: ListFormat;
  /** The URLs as they are written, each once. */
  readonly urls: readonly string[];
  readonly duplicates: number;
  readonly refused: readonly Refused[];
  /** Addresses without a scheme, each with the URL that was probably meant. */
  readonly offered: readonly Offered[];
  /** The column that was read, if the list is a table or has a heading. */
  readonly column: Column | null;
  /** How many sitemaps an index lists. */
  readonly sitemaps: number;
}

export interface Refused {
  readonly line: number;
  readonly text: string;
  readonly reason: RefusalReason;
}

export interface Offered {
  readonly line: number;
  readonly text: string;
  readonly url: string;
}

export interface Column {
  /** Null if it has no heading. */
  readonly name: string | null;
  /** From 1. */
  readonly number: number;
  /** Number of columns. */
  readonly of: number;
}

/** Why an entry of a pasted text or a file is not taken. */
export const REFUSAL_REASONS = {
  ...INVALID_REASONS,
  not_absolute: "it does not begin with http:// or https://",
  more_cells: "it has more cells than the table has columns: put quotation marks around cells with the separator",
  item_too_long: "it is longer than 4,096 characters",
  private_host: "its host is in a private network",
  bare_host: "its host has no domain",
} as const;
export type RefusalReason = keyof typeof REFUSAL_REASONS;

/** Collects the entries of a list, and decides on each. */
export class ListBuilder {
  readonly #builder = new UrlListBuilder();
  readonly #urls: string[] = [];
  readonly #refused: Refused[] = [];
  readonly #offered: Offered[] = [];
  entries = 0;

  add(text: string, { line, problem }: Found): void {
    this.entries += 1;
    const reason = problem ?? (text.includes("\ufffd") ? "not_decodable" : this.#take(text));
    if (reason === null) return;
    // The host before a port looks like a scheme.
    const url = reason === "not_absolute" || reason === "other_scheme" ? withHttps(text) : null;
    if (url === null) this.#refused.push({ line, text, reason });
    else this.#offered.push({ line, text, url });
  }

  made(format: ListFormat, column: Column | null, sitemaps = 0): List {
    const [urls, refused, offered] = [this.#urls, this.#refused, this.#offered];
    const duplicates = this.entries - urls.length - refused.length - offered.length;
    return { format, urls, duplicates, refused, offered, column, sitemaps };
  }

  /** @returns null for a URL */
  #take(text: string): RefusalReason | null {
    if (text.length > SIZES.urlLength && codePoints(text) > SIZES.urlLength) return "item_too_long";
    const { invalid } = this.#builder;
    const isNew = this.#builder.add(text);
    if (this.#builder.invalid > invalid) return invalidReason(text);
    const reason = privateHost(text);
    if (reason === null && isNew) this.#urls.push(text);
    return reason;
  }
}
