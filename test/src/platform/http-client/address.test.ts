import { isIPv4 } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressPolicy } from "../../../../src/platform/http-client/address.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const none = addressPolicy([]);

/** Networks that are not the open web, by the registries of IANA, each with its first and its last address. */
const CLOSED = [
  ["0.0.0.0", "0.255.255.255", "this network"],
  ["10.0.0.0", "10.255.255.255", "private"],
  ["100.64.0.0", "100.127.255.255", "carrier-grade NAT"],
  ["127.0.0.0", "127.255.255.255", "loopback"],
  ["169.254.0.0", "169.254.255.255", "link-local, metadata"],
  ["172.16.0.0", "172.31.255.255", "private"],
  ["192.0.0.0", "192.0.0.255", "protocol assignments"],
  ["192.0.2.0", "192.0.2.255", "documentation"],
  ["192.88.99.0", "192.88.99.255", "6to4 relays"],
  ["192.168.0.0", "192.168.255.255", "private"],
  ["198.18.0.0", "198.19.255.255", "benchmarks"],
  ["198.51.100.0", "198.51.100.255", "documentation"],
  ["203.0.113.0", "203.0.113.255", "documentation"],
  ["224.0.0.0", "239.255.255.255", "multicast"],
  ["240.0.0.0", "255.255.255.255", "reserved, broadcast"],
  ["168.63.129.16", "168.63.129.16", "wire server"],
  ["::", "::ffff:ffff", "unspecified, loopback, IPv4-compatible"],
  ["::ffff:10.0.0.0", "::ffff:10.255.255.255", "mapped private"],
  ["::ffff:0:0:0", "::ffff:0:ffff:ffff", "translated"],
  ["64:ff9b::a00:0", "64:ff9b::aff:ffff", "NAT64 of private"],
  ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "local NAT64"],
  ["100::", "100::ffff:ffff:ffff:ffff", "discard"],
  ["2001::", "2001::ffff:ffff:ffff:ffff:ffff:ffff", "Teredo"],
  ["2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", "benchmarks"],
  ["2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "ORCHID"],
  ["2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", "ORCHIDv2"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "6to4"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "not handed out"],
  ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "segment routing"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unique local"],
  ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link-local"],
  ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "site-local"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],
] as const;

test.each(CLOSED)("%s to %s is blocked: %s", (first, last) => {
  expect([none.isAllowed(first), none.isAllowed(last)]).toEqual([false, false]);
});

const OPEN = [
  ..."1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 172.15.255.255".split(" "),
  ..."172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.17".split(" "),
  ..."2606:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 ::ffff:1.1.1.1 64:ff9b::101:101".split(" "),
];

test.each(OPEN)("%s is open", (address) => {
  expect([none.isAllowed(address), none.isListed(address)]).toEqual([true, false]);
});

test.each([
  "",
  "x",
  "localhost",
  "::1.1.1.1",
  "::10.1.2.3",
  "1.1.1.1%1",
  "2606:4700::1111%eth0",
  "1.1.1",
  "0x1.1.1.1",
  "[2606:4700::1111]",
])("%j is not an address, and is blocked", (text) => {
  expect(none.isAllowed(text)).toBe(false);
});

test("law: an IPv4 address is open or blocked in all its spellings", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isIPv4(address)).toBe(true);
      const judged = none.isAllowed(address);
      expect(none.isAllowed(`::ffff:${address}`)).toBe(judged);
      expect(none.isAllowed(`64:ff9b::${address}`)).toBe(judged);
    }),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

test("law: any text is judged without an exception", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended()), (text) => {
      expect(typeof none.isAllowed(text)).toBe("boolean");
    }),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

test("FETCH_ALLOW_CIDRS: opens its networks, in every spelling, and nothing else", () => {
  const some = addressPolicy(["10.1.0.0/16", "::1/128", "fd00::/8"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "::1", "fd00:ec2::254"])
    expect([address, some.isAllowed(address), some.isListed(address)]).toEqual([address, true, true]);
  for (const address of ["10.2.0.0", "10.0.255.255", "127.0.0.1", "::2", "::10.1.2.3", "fe80::1"])
    expect([address, some.isAllowed(address)]).toEqual([address, false]);
});

test.each(
  ["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.1/16", "0x0a.0.0.0/8"].concat([
    "::1/129",
    "fe80::1%eth0/64",
    "::ffff:10.0.0.0/104",
    "localhost/8",
    "10.0.0.0/1e1",
    " 10.0.0.0/8",
  ]),
)("FETCH_ALLOW_CIDRS: %j is refused, naming the setting", (text) => {
  expect(() => addressPolicy([text])).toThrow(`FETCH_ALLOW_CIDRS: "${text}" is not a network`);
});
