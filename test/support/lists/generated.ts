import fc from "fast-check";

/** A list of URLs as people have it: the text, and the URLs that it means, in order. */
export interface GeneratedList {
  readonly text: string;
  readonly urls: readonly string[];
}

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const host = fc.tuple(word, fc.constantFrom("example.com", "example.org", "example.co.uk")).map((one) => one.join("."));
const path = fc.array(fc.oneof(word, fc.constantFrom("a-b", "%C3%A9", "1", "index.html", "été", "2026-11-02")), {
  maxLength: 3,
});
const query = fc.constantFrom("", "?a=1", "?a=1&b=2", "?q=x#top");
const simple = fc.tuple(host, path, query).map(([h, p, q]) => `https://${h}/${p.join("/")}${q}`);
/** URLs with what separates URLs elsewhere. They have to be quoted. */
const difficult = fc.oneof(
  { weight: 3, arbitrary: simple },
  fc
    .tuple(simple, fc.constantFrom(",2", ";jsessionid=1", "|x", ",https://www.example.com/", " b", ", b"))
    .map(([url, tail]) => `${url.split(/[?#]/)[0]}${tail}`),
);
const some = (url: fc.Arbitrary<string>) => fc.array(url, { minLength: 1, maxLength: 8 });

const QUOTED: readonly (readonly [string, string])[] = [
  ...[["", ""] as const, ['"', '"'] as const, ["'", "'"] as const, ["<", ">"] as const, ["`", "`"] as const],
  ...[
    ["“", "”"] as const,
    ["«", "»"] as const,
    ['"', '",'] as const,
    ["\u200b", "\ufeff"] as const,
    ["  ", " \u00a0"] as const,
  ],
];
const BULLETS = ["", "- ", "* ", "• ", "•", "– ", "+ ", "1. ", "12) ", "(3) ", "- [ ] ", "- [x] ", "a) "];
const lineEnd = fc.constantFrom("\n", "\r\n", "\r", "\n\n");

/** One URL a line, with bullets and quotation marks. */
const lines = fc
  .tuple(some(simple), fc.constantFrom(...BULLETS), fc.constantFrom(...QUOTED), lineEnd)
  .map(([urls, bullet, [open, close], end]) => ({
    urls,
    text: urls.map((url) => `${bullet}${open}${url}${close}`).join(end),
  }));

/** Several URLs a line. */
const joined = fc
  .tuple(
    fc.array(some(simple), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(", ", ",", "; ", ";", " | ", "|", " ", "   ", "\t"),
    fc.constantFrom("", '"', "'"),
    lineEnd,
  )
  .map(([rows, separator, quote, end]) => ({
    urls: rows.flat(),
    text: rows.map((row) => row.map((url) => `${quote}${url}${quote}`).join(separator)).join(end),
  }));

/** An array in JSON, on one line or on several. */
const array = fc.tuple(some(simple), fc.constantFrom(0, 2)).map(([urls, indent]) => ({
  urls,
  text: JSON.stringify(urls, null, indent),
}));

const cell = fc.oneof(
  fc.integer({ min: 0, max: 9999 }).map(String),
  fc.constantFrom(
    "2026-11-02",
    "12.5%",
    "",
    "A title, with a comma",
    'He said "no"',
    "two\nlines",
    "3,4",
    "x; y",
    "Größe",
    "a|b",
  ),
);

/** A table as programs write it: with a heading, its URLs in any column, cells quoted where they must be or always. */
const table = fc
  .tuple(
    fc.constantFrom(",", ";", "\t", "|"),
    fc.array(fc.tuple(difficult, fc.array(cell, { minLength: 5, maxLength: 5 })), { minLength: 1, maxLength: 6 }),
    fc.record({
      width: fc.integer({ min: 2, max: 5 }),
      column: fc.nat(4),
      isAllQuoted: fc.boolean(),
      isSaid: fc.boolean(),
      end: fc.constantFrom("\n", "\r\n"),
      name: fc.constantFrom("URL", "Top pages", "Address", "Seite", "見出し"),
    }),
  )
  .map(([delimiter, rows, { width, column, isAllQuoted, isSaid, end, name }]) => {
    const at = column % width;
    const write = (text: string) =>
      isAllQuoted || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const heading = Array.from({ length: width }, (_, index) => (index === at ? name : `Column ${index}`));
    const written = [heading, ...rows.map(([url, cells]) => cells.slice(0, width).with(at, url))];
    const said = isSaid && delimiter !== "\t" ? `sep=${delimiter}${end}` : "";
    return {
      urls: rows.map(([url]) => url),
      text: said + written.map((cells) => cells.map(write).join(delimiter)).join(end),
    };
  });

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const CODED = [
  escaped,
  (url: string) => `<![CDATA[${url}]]>`,
  (url: string) => escaped(url).replaceAll("&amp;", "&#038;"),
];

/** A sitemap: prefixed or not, with comments, space in its tags, and the forms of escaping. */
const sitemap = fc
  .tuple(some(difficult), fc.constantFrom("", "s:"), fc.constantFrom(...CODED), fc.constantFrom("", " ", "\n"))
  .map(([urls, prefix, coded, space]) => {
    const namespace = `xmlns${prefix === "" ? "" : ":s"}="http://www.sitemaps.org/schemas/sitemap/0.9"`;
    const entry = (url: string) =>
      `<${prefix}url><${prefix}loc${space}>${space}${coded(url)}${space}</${prefix}loc${space}></${prefix}url>`;
    const hidden = `<!-- ${entry("https://www.example.com/hidden")} -->`;
    return { urls, text: `<${prefix}urlset ${namespace}>${hidden}${urls.map(entry).join("\n")}</${prefix}urlset>` };
  });

export const LISTS: Readonly<Record<string, fc.Arbitrary<GeneratedList>>> = { lines, joined, array, table, sitemap };

/** How a text is written as bytes. */
export const ENCODINGS: Readonly<Record<string, { encode(text: string): Uint8Array }>> = {
  "UTF-8": { encode: (text) => Buffer.from(text) },
  "UTF-8 with a mark": { encode: (text) => Buffer.from(`\ufeff${text}`) },
  "UTF-16 as Excel writes it": { encode: (text) => Buffer.from(`\ufeff${text}`, "utf16le") },
  "UTF-16, the other way round": { encode: (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16() },
  "UTF-16 without a mark": { encode: (text) => Buffer.from(text, "utf16le") },
};
