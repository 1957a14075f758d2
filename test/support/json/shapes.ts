/** A kind of hostile JSON: an input of an operation of about so many bytes. */
export interface Shape {
  readonly name: string;
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
  { name: "deep arrays", text: (bytes) => "[".repeat(bytes) },
  { name: "deep arrays that end", text: (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2) },
  { name: "deep objects", text: (bytes) => repeated('{"a":', bytes) },
  { name: "unknown fields", text: (bytes) => members(bytes, (n) => `"urlx${n}":0`) },
  { name: "fields twice", text: (bytes) => members(bytes, () => '"url":0') },
  { name: "long names", text: (bytes) => members(bytes, (n) => `"${n}${"x".repeat(bytes / 4)}":0`) },
  { name: "a long text", text: (bytes) => `{"name":"${"x".repeat(bytes)}"}` },
  { name: "a text of escapes", text: (bytes) => `{"name":"${repeated('\\"', bytes)}"}` },
  { name: "a long number", text: (bytes) => `{"count":${"9".repeat(bytes)}}` },
  { name: "numbers", text: (bytes) => `{"count":[${separated("1e400", bytes)}]}` },
  { name: "empty arrays", text: (bytes) => list(separated("[]", bytes)) },
  { name: "a list of objects", text: (bytes) => list(separated('{"urls":[]}', bytes)) },
  { name: "a list of URLs", text: (bytes) => list(urls(bytes, (n) => `https://example.com/${n}`)) },
  {
    name: "a list of URLs to be normalised",
    text: (bytes) => list(urls(bytes, (n) => `HTTPS://Bücher.Example/./%7e/ä/${n}`)),
  },
  { name: "a list of nonsense", text: (bytes) => list(separated('"\\u0000"', bytes)) },
  { name: "a list of one long text", text: (bytes) => list(`"https://example.com/${"ä".repeat(bytes / 2)}"`) },
  { name: "long URLs", text: (bytes) => list(urls(bytes, (n) => `https://example.com/${n}/${"a/../".repeat(780)}`)) },
  { name: "a list that is cut off", text: (bytes) => `{"urls":[${urls(bytes, (n) => `https://example.com/${n}`)}` },
];

function urls(bytes: number, url: (n: number) => string): string {
  const all: string[] = [];
  for (let size = 0, n = 0; size < bytes; n++) size += all[all.push(`"${url(n)}"`) - 1]!.length + 1;
  return all.join(",");
}
