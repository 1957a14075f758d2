import type { JsonTooLarge } from "../../../src/platform/json/json-reader.ts";

/** A bound of a JSON document, by its name in the program. */
type Refusal = JsonTooLarge["bound"];

/** A kind of hostile JSON: an input of an operation of about so many bytes. */
export interface Shape {
  readonly name: string;
  /** What is refused of it, if it has 1 MB. Null: it is a list of texts, which may have 80 MB. */
  readonly refusal: Refusal | null;
  text(bytes: number): string;
}

const list = (items: string) => `{"urls":[${items}]}`;
const repeated = (piece: string, bytes: number) => piece.repeat(Math.max(1, Math.floor(bytes / piece.length)));
const separated = (piece: string, bytes: number) => repeated(`${piece},`, bytes).slice(0, -1);
const members = (bytes: number, member: (n: number) => string) => {
  const all: string[] = [];
  for (let size = 0, n = 0; size < bytes; n++) size += all[all.push(member(n)) - 1]!.length + 1;
  return `{${all.join(",")}}`;
};

/** Every one is within the size that a body may have, and none is an input that anybody needs. */
export const SHAPES: readonly Shape[] = [
  { name: "deep arrays", refusal: "depth", text: (bytes) => "[".repeat(bytes) },
  { name: "deep arrays that end", refusal: "depth", text: (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2) },
  { name: "deep objects", refusal: "depth", text: (bytes) => repeated('{"a":', bytes) },
  { name: "unknown fields", refusal: "members", text: (bytes) => members(bytes, (n) => `"urlx${n}":0`) },
  { name: "fields twice", refusal: "members", text: (bytes) => members(bytes, () => '"url":0') },
  {
    name: "long names",
    refusal: "nameBytes",
    text: (bytes) => members(bytes, (n) => `"${n}${"x".repeat(bytes / 4)}":0`),
  },
  { name: "a long text", refusal: "bytes", text: (bytes) => `{"name":"${"x".repeat(bytes)}"}` },
  { name: "a text of escapes", refusal: "bytes", text: (bytes) => `{"name":"${repeated('\\"', bytes)}"}` },
  { name: "a long number", refusal: "bytes", text: (bytes) => `{"count":${"9".repeat(bytes)}}` },
  { name: "numbers", refusal: "values", text: (bytes) => `{"count":[${separated("1e400", bytes)}]}` },
  { name: "empty arrays", refusal: "values", text: (bytes) => list(separated("[]", bytes)) },
  { name: "a list of objects", refusal: "members", text: (bytes) => list(separated('{"urls":[]}', bytes)) },
  { name: "a list of URLs", refusal: null, text: (bytes) => list(urls(bytes, (n) => `https://example.com/${n}`)) },
  {
    name: "a list of URLs to be normalised",
    refusal: null,
    text: (bytes) => list(urls(bytes, (n) => `HTTPS://Bücher.Example/./%7e/ä/${n}`)),
  },
  { name: "a list of numbers", refusal: "values", text: (bytes) => list(separated("1", bytes)) },
  { name: "a list of a long number", refusal: "elementBytes", text: (bytes) => list("9".repeat(bytes)) },
  { name: "a list of blanks", refusal: "elementBytes", text: (bytes) => list(" ".repeat(bytes)) },
  { name: "a list of nonsense", refusal: "values", text: (bytes) => list(separated('"\\u0000"', bytes)) },
  {
    name: "a list of one long text",
    refusal: "elementBytes",
    text: (bytes) => list(`"https://example.com/${"ä".repeat(bytes / 2)}"`),
  },
  {
    name: "long URLs",
    refusal: null,
    text: (bytes) => list(urls(bytes, (n) => `https://example.com/${n}/${"a".repeat(4_000)}`)),
  },
  {
    name: "long URLs that end with something else",
    refusal: null,
    text: (bytes) => list(`${urls(bytes, (n) => `https://example.com/${n}/${"a".repeat(4_000)}`)},1`),
  },
  {
    name: "long URLs to be normalised",
    refusal: null,
    text: (bytes) => list(urls(bytes, (n) => `https://example.com/${n}/${"a/../".repeat(780)}`)),
  },
  {
    name: "a list that is cut off",
    refusal: null,
    text: (bytes) => `{"urls":[${urls(bytes, (n) => `https://example.com/${n}`)}`,
  },
];

function urls(bytes: number, url: (n: number) => string): string {
  const all: string[] = [];
  for (let size = 0, n = 0; size < bytes; n++) size += all[all.push(`"${url(n)}"`) - 1]!.length + 1;
  return all.join(",");
}
