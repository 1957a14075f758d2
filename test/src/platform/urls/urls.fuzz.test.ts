import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SIZES } from "../../../../src/platform/sizes.ts";
import { normaliseUrl } from "../../../../src/platform/urls/urls.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const seeds = fc.constantFrom(
  "https://example.com/a/b.html?c=d&e=f#g",
  "http://www.example.com:80/a/../b/./c/",
  "https://b\u00fccher.example/\u00e4/%c3%a4?q=%7e%2f",
  "HTTPS://Example.COM.:443?x",
  "https://example.com/%%34%31/%zz/%2541",
  "https://user:secret@example.com/",
  "https://1.2.3.4/a;b=c,d/(e)!*'",
  "http://[2001:db8::1]:8080/a b",
  "https://xn--bcher-kva.example/\u{1f600}",
  "https://example.com/%2e%2E/..%2f//a\\b",
  "http://0x7f.1/?#",
  "https:///example.com/",
);
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(..."abAB019-._~%/?#&=:@!$'()*+,;[]\\ \t\n|^`\"<>{}") },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ..."%2e,%41,%c3,%2F,%7E,%4,%%,//,../,./,?,#,@,:@,:443,:80,:0,xn--,.,..,http://,https://,HTTP:,%00,%20".split(","),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(..."\u00e4 \u00df \u0130 \u3002 \uff0e \u200d \ufeff \u00a0 \u{1f600}".split(" ")),
  },
  { weight: 1, arbitrary: fc.constantFrom("\u0000", "\u001f", "\u007f", "\u0085", "\ud800", "\r\n", "\u2028") },
);
const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.array(piece, { maxLength: 3 })), { maxLength: 4 });
const mutated = fc.tuple(seeds, changes).map(([seed, all]) =>
  all.reduce<string>((url, [place, lost, put]) => {
    const at = place % (url.length + 1);
    return url.slice(0, at) + put.join("") + url.slice(at + lost);
  }, seed),
);

test("null where docs/rules.md rule 1 says so, and otherwise the result of the URL standard with its changes", () => {
  let valid = 0;
  fc.assert(
    fc.property(mutated, (raw) => {
      const stored = normaliseUrl(raw);
      const url = parsed(raw.trim());
      expect(stored === null, String(url)).toBe(url === null);
      if (stored === null || url === null) return;
      valid += 1;
      expect(normaliseUrl(stored)).toBe(stored);
      const again = new URL(stored);
      expect(again.href).toBe(stored);
      expect(partsOf(again)).toEqual({ ...partsOf(url), hash: "" });
      // Behind the beginning of a broken escape, others are left alone.
      if (!/%(?![\da-f]{2})/i.test(stored)) expect(tokensOf(stored).join("")).toBe(stored);
    }),
    { numRuns: fuzzRuns(5_000), seed: 1 },
  );
  expect(valid).toBeGreaterThan(fuzzRuns(1_700));
});

/** Null where docs/rules.md rule 1 says that it is invalid. */
function parsed(text: string): URL | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!/^https?:\/\//i.test(text) || /[\u0000-\u001f\u007f-\u009f]/.test(text)) return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const authority = /^https?:[/\\]*([^/\\?#]*)/i.exec(text)![1]!;
  if (authority.includes("@") || /(^|\.)\.$|^$/.test(url.hostname)) return null;
  if (url.hostname.split(".").some((label) => label.startsWith("xn--") && isPlain(domainToUnicode(label)))) return null;
  return url.href.length > SIZES.normalisedUrlBytes ? null : url;
}

/** Node.js gives back a label that stands for no name as it is. */
function isPlain(label: string): boolean {
  return /^[\x21-\x7e]*$/.test(label);
}

function partsOf({ protocol, username, password, hostname, port, pathname, search, hash }: URL) {
  const host = hostname.replace(/\.$/, "");
  const query = search === "?" ? "" : search;
  return { protocol, username, password, host, port, path: tokensOf(pathname), query: tokensOf(query), hash };
}

/** Characters and escapes; an escape of an unreserved character is that character. */
function tokensOf(text: string): string[] {
  return (text.match(/%[\da-f]{2}|./gis) ?? []).map((token) => {
    if (token.length < 3) return token;
    const character = String.fromCharCode(Number.parseInt(token.slice(1), 16));
    return /[A-Za-z\d\-._~]/.test(character) ? character : token.toUpperCase();
  });
}
