import { authorizationTypes } from "@x402/evm";
import fc from "fast-check";
import {
  decodeFunctionData,
  decodeFunctionResult,
  domainSeparator,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  encodePacked,
  getAddress,
  type Hex,
  keccak256,
  recoverTypedDataAddress,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import type { Search } from "../../src/domain/payments/direct/chain/chain.ts";
import { TOKEN } from "../../src/domain/payments/direct/chain/evm-abi.ts";
import { readContract } from "../../src/domain/payments/direct/chain/evm-answer.ts";
import { type NodeClient, RpcRefusal } from "../../src/domain/payments/direct/chain/evm-rpc.ts";
import { readToken } from "../../src/domain/payments/direct/chain/evm-token.ts";
import { findUse } from "../../src/domain/payments/direct/chain/evm-use.ts";
import { requirePayerSignature } from "../../src/domain/payments/direct/facilitator/payer-signature.ts";
import { nonceOf } from "../../src/domain/payments/direct/protocol/credential.ts";
import { checksummed } from "../../src/domain/payments/direct/protocol/terms.ts";
import type { Payload } from "../../src/domain/payments/direct/protocol/x402.ts";
import { fuzzRuns } from "../support/checks/fuzz-runs.ts";
import { anyRequirements, hex } from "../support/payments/any-requirements.ts";
import { READ_OF_TOKEN } from "../support/payments/chain/contracts.ts";

/**
 * ox encodes, decodes, hashes and recovers for src/domain/payments/direct, where viem, which is built on it, takes four
 * times the space. On random input, and on signatures and answers that are spoilt, both have to give the same result.
 */

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MOST = 2n ** 256n;

/** Often at a limit, and sometimes past what a token can hold. */
const uint = fc.oneof(fc.bigInt({ min: 0n, max: MOST - 1n }), fc.constantFrom(0n, MOST - 1n, MOST, MOST + 5n));
const word = (value: bigint) => value.toString(16).padStart(64, "0").slice(-64);

/** What becomes of a good signature: nothing, or r, s or v that are wrong, at a limit, or of the second signature. */
const spoil = fc.oneof(
  { weight: 3, arbitrary: fc.constant((signature: string) => signature) },
  fc.constant((signature: string) => {
    const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
    return `${signature.slice(0, 66)}${word(s)}${signature.endsWith("1b") ? "1c" : "1b"}`;
  }),
  fc.constant((signature: string) => signature.slice(0, 130) + (signature.endsWith("1b") ? "1c" : "1b")),
  fc.constantFrom("00", "01", "02", "1d", "25", "ff").map((v) => (signature: string) => signature.slice(0, 130) + v),
  fc.constantFrom(0n, 1n, ORDER - 1n, ORDER, MOST - 1n).map((r) => (signature: string) => {
    return `0x${word(r)}${signature.slice(66)}`;
  }),
  fc.constantFrom(0n, 1n, ORDER / 2n, ORDER / 2n + 1n, ORDER, MOST - 1n).map((s) => (signature: string) => {
    return signature.slice(0, 66) + word(s) + signature.slice(130);
  }),
  hex(65).map((any) => () => any),
);

const payer = privateKeyToAccount(`0x${"11".repeat(32)}`);

test("law: a signature is the payer's exactly where viem recovers the payer, with a low s and a v of 27 or 28", async () => {
  let accepted = 0;
  const facilitator = requirePayerSignature({
    verify: async () => ({ isValid: true }),
    settle: async () => ({ outcome: "done" }),
    serves: async () => true,
  });
  const fields = fc.record({ to: hex(20), value: uint, validAfter: uint, validBefore: uint, nonce: hex(32) });
  await fc.assert(
    fc.asyncProperty(anyRequirements, fields, spoil, fc.boolean(), async (offer, signed, spoilt, isOther) => {
      const { name, version } = offer.extra;
      const chainId = Number(offer.network.slice("eip155:".length));
      const message = { ...signed, to: getAddress(signed.to), from: payer.address };
      const typed = {
        domain: { name, version, chainId, verifyingContract: offer.asset as Hex },
        types: authorizationTypes,
        primaryType: "TransferWithAuthorization",
        message,
      } as const;
      // viem refuses to sign what is past the limits; whatever stands there is then wrong.
      const own = await payer.signTypedData(typed).catch(() => `0x${"11".repeat(64)}1b`);
      const signature = spoilt(own) as Hex;
      const claimed = isOther ? `0x${"ab".repeat(20)}` : payer.address;
      const theirs = await recoverTypedDataAddress({
        ...typed,
        message: { ...message, from: getAddress(claimed) },
        signature,
      }).catch(() => "nobody");
      const isLow = BigInt(`0x${signature.slice(66, 130)}`) <= ORDER / 2n && /1[bc]$/.test(signature);
      const authorization = Object.fromEntries(
        Object.entries({ ...message, from: claimed }).map(([k, v]) => [k, `${v}`]),
      );
      const given = { x402Version: 2, accepted: offer, payload: { signature, authorization } } as unknown as Payload;
      const { isValid } = await facilitator.verify(given, offer);
      expect(isValid).toBe(isLow && theirs.toLowerCase() === claimed.toLowerCase());
      accepted += isValid ? 1 : 0;
    }),
    { numRuns: fuzzRuns(150), seed: 1 },
  );
  expect(accepted).toBeGreaterThan(fuzzRuns(6));
});

test("law: an address has the checksum that viem gives it", () => {
  fc.assert(
    fc.property(hex(20), (address) => {
      expect(checksummed(address)).toBe(getAddress(address));
      expect(checksummed(address.toUpperCase().replace("X", "x"))).toBe(getAddress(address));
    }),
  );
});

/** A node that gives the same answer to each of these methods. */
function nodeWith(answers: Readonly<Record<string, unknown>>): NodeClient & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    async request(method, params) {
      asked.push(params?.[0]);
      return answers[method];
    },
  };
}

const FUNCTIONS = {
  name: TOKEN.name,
  version: TOKEN.version,
  decimals: TOKEN.decimals,
  DOMAIN_SEPARATOR: TOKEN.domainSeparator,
  eip712Domain: TOKEN.eip712Domain,
  authorizationState: TOKEN.authorizationState,
} as const;

/** Words that are small numbers, as offsets and lengths are, and any others. */
const answer = fc
  .array(
    fc.oneof(
      fc.nat(300).map((small) => word(BigInt(small))),
      hex(32).map((any) => any.slice(2)),
    ),
    { maxLength: 12 },
  )
  .chain((words) => fc.nat(31).map((more) => `0x${words.join("")}${"00".repeat(more % 7 === 0 ? more : 0)}` as Hex));

test("law: a call of the token, and whatever is answered to it, is read as by viem", async () => {
  const names = fc.constantFrom(...(Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[]));
  await fc.assert(
    fc.asyncProperty(names, answer, hex(20), hex(32), async (functionName, data, authorizer, nonce) => {
      const args = functionName === "authorizationState" ? [authorizer, nonce] : [];
      const client = nodeWith({ eth_call: data });
      const ours = readContract(client, [authorizer, FUNCTIONS[functionName]], args).then(
        (value) => ({ value }),
        () => "no such answer",
      );
      const theirs = () => ({ value: decodeFunctionResult({ abi: READ_OF_TOKEN, functionName, data }) as unknown });
      expect(await ours).toEqual(attempted(theirs));
      const call = encodeFunctionData({ abi: READ_OF_TOKEN, functionName, args } as never);
      expect(client.asked).toEqual([{ to: authorizer, data: call }]);
    }),
    { numRuns: fuzzRuns(300), seed: 1 },
  );
});

function attempted<T>(work: () => T): T | "no such answer" {
  try {
    return work();
  } catch {
    return "no such answer";
  }
}

/** A token that answers these functions, and reverts at the others. */
function tokenWith(chainId: number, answers: Readonly<Record<string, unknown>>): NodeClient {
  return {
    async request(method, params) {
      if (method !== "eth_call") return method === "eth_chainId" ? `0x${chainId.toString(16)}` : "0x01";
      const { data } = params![0] as { data: Hex };
      const { functionName } = decodeFunctionData({ abi: READ_OF_TOKEN, data });
      if (!(functionName in answers)) throw new RpcRefusal(3, "execution reverted");
      return encodeFunctionResult({ abi: READ_OF_TOKEN, functionName, result: answers[functionName] as never });
    },
  };
}

test("law: the domain of a token is its own exactly where its separator is the one that viem makes", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, text, hex(20), fc.nat(), fc.boolean(), async (name, version, address, chainId, isOther) => {
      const domain = { name, version, chainId: isOther ? chainId + 1 : chainId, verifyingContract: address };
      const answers = { name, version, decimals: 6, DOMAIN_SEPARATOR: domainSeparator({ domain }) };
      const expected = { chainId, isContract: true, decimals: 6, name, version, isDomain: !isOther };
      expect(await readToken(tokenWith(chainId, answers), address)).toEqual(expected);
    }),
  );
});

test("law: events that viem encodes are read as what they are, and as nothing else", async () => {
  const amount = fc.bigInt({ min: 0n, max: MOST - 1n });
  const change = fc.constantFrom(null, "to", "value", "nonce", "from");
  const topicsOf = (eventName: "AuthorizationUsed" | "Transfer", args: object) =>
    encodeEventTopics({ abi: READ_OF_TOKEN, eventName, args } as never);
  await fc.assert(
    fc.asyncProperty(
      hex(20),
      hex(20),
      hex(20),
      amount,
      hex(32),
      change,
      async (asset, from, to, value, nonce, changed) => {
        const log = (logIndex: number, topics: unknown, data: string) => ({
          address: getAddress(asset),
          topics,
          data,
          logIndex: `0x${logIndex}`,
        });
        const logs = [
          log(7, topicsOf("Transfer", { from, to }), encodeAbiParameters([{ type: "uint256" }], [value])),
          log(6, topicsOf("AuthorizationUsed", { authorizer: from, nonce }), "0x"),
        ];
        const hash = `0x${"ab".repeat(32)}`;
        const receipt = { status: "0x1", blockNumber: "0x5", blockHash: `0x${"cd".repeat(32)}`, logs };
        const client = nodeWith({ eth_getTransactionReceipt: receipt, eth_getLogs: [] });
        const authorization = { from, to, value: `${value}`, nonce, validBefore: 0 };
        const other = { to: `0x${"ee".repeat(20)}`, from: `0x${"ee".repeat(20)}`, value: `${value ^ 1n}`, nonce: hash };
        const sought = changed ? { ...authorization, [changed]: other[changed] } : authorization;
        const at = { number: 5, hash: receipt.blockHash, timestamp: 0 };
        const search: Search = { authorization: sought, at, since: 0, lastSeenIn: hash, checkpoint: null };
        const use = { hash, block: 5, transfer: changed ? null : `${hash}/7` };
        const found = findUse({ client, asset }, search);
        if (changed === "nonce" || changed === "from") await expect(found).rejects.toThrow("does not agree");
        else expect((await found)?.use).toEqual(use);
      },
    ),
  );
});

test("law: the nonce that is bound to a challenge is the hash of what viem packs", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(text, text, (id, realm) => {
      expect(nonceOf(id, realm)).toBe(keccak256(encodePacked(["string", "string"], [id, realm])));
    }),
  );
});
