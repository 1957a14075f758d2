import { SIZES } from "../sizes.ts";
import { cut, hasControl, parseUrl } from "../text.ts";
import { hasValidLabels } from "./a-labels.ts";

/** What a list of URLs comes to: accepted + duplicates + invalid = items given. */
export interface UrlList<Urls = string[]> {
  /** Normalised, in order of first occurrence. */
  readonly accepted: Urls;
  readonly duplicates: number;
  readonly invalid: number;
  /** Up to 10 invalid lines as they came, cut at 200 characters. */
  readonly invalidExamples: string[];
}

export const EXAMPLES = 10;
export const EXAMPLE_LENGTH = 200;

export function parseUrlList(items: readonly string[]): UrlList {
  const builder = new UrlListBuilder();
  for (const item of items) builder.add(item);
  return builder.list();
}

/** Builds a UrlList from items that are added one by one. */
export class UrlListBuilder {
  readonly #seen = new Set<string>();
  readonly #invalidExamples: string[] = [];
  #items = 0;
  #invalid = 0;

  /** @returns whether it is a URL that was not there before */
  add(item: string): boolean {
    this.#items += 1;
    // A repeated URL that is in normal form already.
    if (this.#seen.has(item)) return false;
    const url = normaliseUrl(item);
    if (url !== null) {
      const before = this.#seen.size;
      return this.#seen.add(url).size > before;
    }
    this.#addInvalid(item);
    return false;
  }

  /** Counts an item as invalid, whatever it is. */
  refuse(item: string): void {
    this.#items += 1;
    this.#addInvalid(item);
  }

  #addInvalid(item: string): void {
    this.#invalid += 1;
    if (this.#invalidExamples.length < EXAMPLES) this.#invalidExamples.push(cut(item, EXAMPLE_LENGTH));
  }

  /** Items given. */
  get items(): number {
    return this.#items;
  }

  /** Items that are no URL. */
  get invalid(): number {
    return this.#invalid;
  }

  /** URLs accepted. */
  get size(): number {
    return this.#seen.size;
  }

  list(): UrlList {
    const accepted = [...this.#seen];
    const duplicates = this.#items - this.#invalid - accepted.length;
    return { accepted, duplicates, invalid: this.#invalid, invalidExamples: this.#invalidExamples };
  }
}

/**
 * Matches URLs in normal form, as most of them are: a lower-case ASCII host whose last label is a name, no port, no
 * percent-escape, no character that the URL standard would encode.
 */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*\/[\w\-.~!$&()*+,;=:@/]*(?:\?[\w\-.~!$&()*+,;=:@/?]+)?$/;

/**
 * The stored form of a URL and the key of duplicates (docs/rules.md rule 1), or null when it is invalid.
 * What Google tells apart stays apart: path case, trailing slash, `www`, scheme, order of the query.
 */
export function normaliseUrl(raw: string): string | null {
  if (PLAIN.test(raw) && !raw.includes("/.") && !raw.includes("xn--"))
    return raw.length <= SIZES.normalisedUrlBytes ? raw : null;
  return normaliseByStandard(raw.trim());
}

/**
 * Why an entry of a list or a sitemap is no URL. The entry of a sitemap is not repeated, because a stranger wrote it. The last
 * four are found by the readers of documents (platform/lists), not by `invalidReason`.
 */
export const INVALID_REASONS = {
  empty: "it is empty",
  not_absolute: "it does not begin with a scheme",
  other_scheme: "its scheme is not http or https",
  control_character: "it has a control character",
  user_or_password: "it has a user name or password",
  malformed: "it is not a URL",
  too_long: "its normalised form is longer than 8,192 bytes",
  not_decodable: "it has characters that its encoding does not have",
  space_inside: "it has a space inside",
  more_cells: "its row has more cells than the table has columns",
  empty_cell: "its row has no URL in the column with the URLs",
} as const;
export type InvalidReason = keyof typeof INVALID_REASONS;

/** @param raw that `normaliseUrl` finds invalid */
export function invalidReason(raw: string): InvalidReason {
  const text = raw.trim();
  if (text === "") return "empty";
  if (!/^https?:\/\//i.test(text)) return /^[a-z][a-z\d+.-]*:/i.test(text) ? "other_scheme" : "not_absolute";
  if (hasControl(text)) return "control_character";
  if (hasUserinfo(text)) return "user_or_password";
  return (parseUrl(text)?.href.length ?? 0) > SIZES.normalisedUrlBytes ? "too_long" : "malformed";
}

/** The URL Standard's parser (url.spec.whatwg.org) and the normalisation that it leaves out. */
function normaliseByStandard(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || hasControl(text)) return null;
  const url = hasUserinfo(text) ? null : parseUrl(text);
  if (!url) return null;
  const host = url.hostname.endsWith(".") ? url.hostname.slice(0, -1) : url.hostname;
  // Some browsers escape in a host what the standard forbids there.
  if (host === "" || host.endsWith(".") || host.includes("%") || !hasValidLabels(host)) return null;
  const port = url.port === "" ? "" : `:${url.port}`;
  const normal = `${url.protocol}//${host}${port}${canonicalEscapes(url.pathname)}${canonicalEscapes(url.search)}`;
  return normal.length <= SIZES.normalisedUrlBytes ? normal : null;
}

/**
 * Searches the text, since an empty userinfo (`https://@host/`) is missing from the parsed URL. The standard ignores any
 * number of slashes before it.
 */
function hasUserinfo(text: string): boolean {
  return /^https?:[/\\]*[^/?#\\]*@/i.test(text);
}

/**
 * Escapes that are not in normal form: of an unreserved character, or with a lower-case digit. One that follows the
 * beginning of a broken escape is left alone, or `%%34%31` would become `%41`.
 */
const ODD_ESCAPE =
  /(?<!%|%[\dA-Fa-f])%(?:2[DEde]|3\d|[46][1-9A-Fa-f]|5[\dAFaf]|7[\dAEae]|[0-9A-F][a-f]|[a-f][0-9A-Fa-f])/g;

/**
 * Upper-case hex, unreserved characters decoded (RFC 3986 section 6.2.2); broken escapes stay as they are.
 * Only what changes is touched: a list of long non-ASCII URLs holds millions of escapes.
 */
function canonicalEscapes(text: string): string {
  return text.replace(ODD_ESCAPE, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : triplet.toUpperCase();
  });
}

/**
 * 64-bit hashes of URLs, 8 bytes each in order: two multiplicative lanes, good enough to find candidates,
 * which are then confirmed against the text. They are stored, and UrlPacker makes the same.
 */
export function hashUrls(urls: readonly string[]): Buffer {
  const lanes = new Uint32Array(urls.length * 2);
  urls.forEach((url, index) => {
    let a = 0x811c9dc5;
    let b = 0x9e3779b9;
    for (let i = 0; i < url.length; i += 2) {
      const pair = url.charCodeAt(i) | (url.charCodeAt(i + 1) << 16);
      a = Math.imul(a ^ pair, 0x01000193);
      b = Math.imul(b ^ pair, 0x85ebca6b) ^ (b >>> 13);
    }
    lanes[index * 2] = a;
    lanes[index * 2 + 1] = b;
  });
  return Buffer.from(lanes.buffer);
}
