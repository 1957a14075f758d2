import { encodeEventTopics, type Hex } from "viem";
import { expect, test } from "vitest";
import { besideUse } from "../../../../../../src/domain/payments/direct/chain/evm-pairing.ts";
import { READ_OF_TOKEN } from "../../../../../support/payments/chain/contracts.ts";

const PAYER: Hex = "0x00000000000000000000000000000000000000aa";
const OTHER: Hex = "0x00000000000000000000000000000000000000bb";

const use = (id: number, authorizer = PAYER) => {
  const nonce = `0x${String(id).padStart(64, "0")}` as Hex;
  return {
    is: `use ${id}`,
    topics: encodeEventTopics({ abi: READ_OF_TOKEN, eventName: "AuthorizationUsed", args: { authorizer, nonce } }) as [
      Hex,
    ],
  };
};
const transfer = (id: number, from = PAYER) => ({
  is: `transfer ${id}`,
  topics: encodeEventTopics({ abi: READ_OF_TOKEN, eventName: "Transfer", args: { from, to: OTHER } }) as [Hex],
});
const approval = { is: "approval", topics: [`0x${"8".repeat(64)}`] as [Hex] };

test.each([
  ["the use first, as Circle's token", [use(1), transfer(1)], { 0: "transfer 1" }],
  ["the transfer first", [transfer(1), use(1)], { 1: "transfer 1" }],
  ["two, the use first", [use(1), transfer(1), use(2), transfer(2)], { 0: "transfer 1", 2: "transfer 2" }],
  ["two, the transfer first", [transfer(1), use(1), transfer(2), use(2)], { 1: "transfer 1", 3: "transfer 2" }],
  ["a plain transfer put in front", [transfer(9), use(1), transfer(1), use(2), transfer(2)], { 1: "transfer 1" }],
  ["a plain transfer put behind", [use(1), transfer(1), use(2), transfer(2), transfer(9)], { 2: "transfer 2" }],
  ["of two payers", [use(1), transfer(1), use(2, OTHER), transfer(2, OTHER)], { 0: "transfer 1", 2: "transfer 2" }],
  ["a use that moved nothing", [use(1), approval, transfer(9)], { 0: "approval" }],
  ["a use at the end", [transfer(9, OTHER), use(1)], { 1: undefined }],
])("law: %s: each use has its own neighbour", (_, logs, expected) => {
  for (const [place, is] of Object.entries(expected)) expect(besideUse(logs, Number(place))?.is).toBe(is);
});
