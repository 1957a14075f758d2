import fc from "fast-check";
import { expect, test } from "vitest";
import { hostOf, refuseNonPublic } from "../../../../src/indexing/sites/host.ts";
import { Refusal } from "../../../../src/platform/errors/errors.ts";
import { normaliseUrl } from "../../../../src/platform/urls/urls.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const FINE: readonly (readonly [string, given: string, host: string])[] = [
  ["as it is", "example.com", "example.com"],
  ["www stays", "www.example.com", "www.example.com"],
  ["upper case", "WWW.Example.COM", "www.example.com"],
  ["IDN", "bücher.example", "xn--bcher-kva.example"],
  ["IDN, upper case", "BÜCHER.example", "xn--bcher-kva.example"],
  ["punycode", "xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["an ideographic full stop", "example。com", "example.com"],
  ["a trailing dot", "example.com.", "example.com"],
  ["a trailing dot before a port", "example.com.:8080", "example.com:8080"],
  ["a trailing slash", "example.com/", "example.com"],
  ["space around it", "  example.com\n", "example.com"],
  ["port 80", "example.com:80", "example.com"],
  ["port 443", "example.com:443", "example.com"],
  ["another port", "example.com:8443", "example.com:8443"],
  ["a port with zeros in front", "example.com:008080", "example.com:8080"],
  ["a whole URL", "https://Example.com/blog/?a=b#c", "example.com"],
  ["a URL of http", "HTTP://example.com", "example.com"],
  ["a URL with the port of the other scheme", "http://example.com:443/", "example.com"],
  ["a URL with a port", "http://example.com:8080/x", "example.com:8080"],
  ["an at sign in the path of a URL", "https://example.com/@user", "example.com"],
  ["a space in the path of a URL", "https://example.com/a b", "example.com"],
  ["a public suffix", "co.uk", "co.uk"],
  ["one label", "localhost", "localhost"],
  ["an underscore", "my_shop.example.com", "my_shop.example.com"],
  ["an address", "192.0.2.7", "192.0.2.7"],
  ["an address in another form", "0x7f.1", "127.0.0.1"],
  ["an address of IPv6", "[2001:DB8:0::1]", "[2001:db8::1]"],
  ["an address of IPv6 with a port", "[::1]:8080", "[::1]:8080"],
  ["a label of 63", `${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
  ["253 characters", `${"a.".repeat(126)}b`, `${"a.".repeat(126)}b`],
];

test.each(FINE)("%s: %j", (_, given, host) => {
  expect(hostOf(given)).toBe(host);
});

const BAD: readonly (readonly [given: string, issue: RegExp])[] = [
  ["", /not a host name/],
  ["   ", /not a host name/],
  [".", /not a host name/],
  ["..", /not a host name/],
  [".example.com", /not a host name/],
  ["example..com", /not a host name/],
  ["example.com..", /not a host name/],
  ["https://", /not a host name/],
  ["https:///path", /not a host name/],
  ["*.example.com", /wildcards/],
  ["https://*.example.com/", /wildcards/],
  ["＊.example.com", /not a host name/],
  ["example.com/blog", /no path/],
  ["example.com?a=b", /no path/],
  ["example.com#a", /no path/],
  ["example.com\\blog", /no path/],
  ["//example.com", /no path/],
  ["ftp://example.com", /no path/],
  ["user@example.com", /user name/],
  ["https://user:secret@example.com/", /user name/],
  ["https://@example.com/", /user name/],
  ["exam ple.com", /spaces/],
  ["exam\tple.com", /spaces/],
  ["https://exam\nple.com/", /spaces/],
  ["example.com\u0000", /spaces/],
  ["example\u00a0.com", /spaces/],
  ["example.com:99999", /not a host name/],
  ["example.com:http", /not a host name/],
  ["1.2.3.4.5", /not a host name/],
  ["::1", /not a host name/],
  ["[::1", /not a host name/],
  ["xn--a", /not a host name/],
  ["a,b.example", /not a host name/],
  ["$(id).example", /not a host name/],
  [`${"a".repeat(64)}.example`, /63 characters/],
  [`${"a.".repeat(126)}bc`, /253 characters/],
];

test.each(BAD)("400 invalid_request: %j", (given, issue) => {
  const refusal = refusalOf(given);
  expect(refusal.code).toBe("invalid_request");
  expect(refusal.message).toMatch(/^`host`: .*\. Nothing was changed\.$/);
  expect(refusal.fields.issues).toEqual([{ path: "host", message: expect.stringMatching(issue) }]);
});

function refusalOf(given: string): Refusal {
  try {
    hostOf(given);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
  throw new Error(`${JSON.stringify(given)} was taken for a host`);
}

test("law: the host of a site is the host of the URLs on it, and its own host", () => {
  const piece = fc.constantFrom(
    ..."aZ09-._:/@*[]% \u00e4\u3002\u0130",
    "xn--",
    "com",
    "www.",
    ":80",
    ":443",
    "::1",
    "0x",
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join(""));
  let taken = 0;
  fc.assert(
    fc.property(text, (given) => {
      let host: string;
      try {
        host = hostOf(given);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Refusal);
        return;
      }
      taken += 1;
      expect(hostOf(host)).toBe(host);
      expect(hostOf(`https://${host}/a`)).toBe(host);
      expect(normaliseUrl(`https://${host}/a`)).toBe(`https://${host}/a`);
    }),
    { numRuns: fuzzRuns(4_000), seed: 1 },
  );
  expect(taken).toBeGreaterThan(fuzzRuns(200));
});

const LOCAL = [
  ...["localhost", "shop.localhost", "intranet", "printer.local", "db.internal", "x.home.arpa", "localhost:8080"],
  ...["127.0.0.1", "10.1.2.3", "192.168.0.1:8443", "169.254.169.254", "[::1]", "[fd00::1]", "0x7f.1", "2130706433"],
];

test.each(LOCAL)("%s is not on the public web, unless FETCH_ALLOW_CIDRS opens it", (given) => {
  const host = hostOf(given);
  expect(() => refuseNonPublic(host, [])).toThrow(/not a host of the public web/);
  expect(() => refuseNonPublic(host, ["0.0.0.0/0", "::/0"])).not.toThrow();
});

test.each(["example.com", "my_shop.example.com:8443", "93.184.215.14", "[2606:2800::1]"])("%s is public", (given) => {
  expect(() => refuseNonPublic(hostOf(given), [])).not.toThrow();
});
