import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { addressOf } from "../../../src/web/caller.ts";

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  return { socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } } as unknown as IncomingMessage;
}

test.each([
  { hops: 0, forwarded: "6.6.6.6", address: "10.0.0.1" },
  { hops: 1, forwarded: "6.6.6.6, 203.0.113.7", address: "203.0.113.7" },
  { hops: 2, forwarded: "6.6.6.6, 203.0.113.7, 10.0.0.2", address: "203.0.113.7" },
  { hops: 1, forwarded: undefined, address: "10.0.0.1" },
])("with $hops proxies, $forwarded comes from $address", ({ hops, forwarded, address }) => {
  expect(addressOf(from("10.0.0.1", forwarded), hops)).toBe(address);
});
