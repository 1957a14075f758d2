import { domainSeparator, parseEventLogs, parseSignature } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { altered, highS, type Payment, type PaymentChanges, resigned } from "../payments/wallet.ts";
import { DEV_ACCOUNTS } from "../support/payments/chain/accounts.ts";
import { artefact } from "../support/payments/chain/contracts.ts";
import { deploy } from "../support/payments/chain/devnet.ts";
import { payOn } from "../support/payments/chain/pay.ts";
import { type Devnet, startDevnet } from "../support/payments/direct-service.ts";

type Hex = `0x${string}`;

const { abi } = artefact("TestUSD");
let devnet: Devnet;
let buyer: PrivateKeyAccount;

beforeAll(async () => {
  devnet = await startDevnet();
});
beforeEach(async () => {
  buyer = await devnet.buyer(100);
});
afterAll(() => devnet.stop());

/** Sends a call by an account of the node. @returns the token's events, in order. @throws Error why it reverts */
async function send(functionName: string, args: readonly unknown[], account: Hex = DEV_ACCOUNTS.deployer.address) {
  const { client, token: address } = devnet;
  const { request } = await client.simulateContract({ address, abi, functionName, args, account });
  const { logs } = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) });
  return parseEventLogs({ abi, logs }) as unknown as { eventName: string; args: Record<string, unknown> }[];
}

const read = (functionName: string, args: readonly unknown[] = []) =>
  devnet.client.readContract({ address: devnet.token, abi, functionName, args });

/** Of ten dollars. */
const payment = (otherwise?: PaymentChanges) => payOn(devnet, buyer, otherwise);
const transfer = (paid: Payment) => send("transferWithAuthorization", [...termsOf(paid), paid.payload.signature]);
const dollars = async () => Number(await devnet.balanceOf(buyer.address)) / 1e6;

function termsOf({ payload: { authorization } }: Payment) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const;
}

/** The signature as three arguments. */
function split(signature: Hex) {
  const { v, r, s } = parseSignature(signature);
  return [Number(v), r, s];
}

test("name and version are readable, and the EIP-712 domain is made of name, version, chain and address", async () => {
  const words = await Promise.all(["name", "symbol", "version", "decimals"].map((name) => read(name)));
  expect(words).toEqual(["Test USD", "TUSD", "2", 6]);
  expect(await read("DOMAIN_SEPARATOR")).toBe(domainSeparator({ domain: domain() }));
});

describe("ERC-20", () => {
  test("anybody may mint, which raises the total supply", async () => {
    const before = (await read("totalSupply")) as bigint;
    const events = await send("mint", [buyer.address, 5n], DEV_ACCOUNTS.buyer.address);
    expect(events.map(({ eventName }) => eventName)).toEqual(["Transfer"]);
    expect((await read("totalSupply")) as bigint).toBe(before + 5n);
  });

  test("transfers at most the balance, and at most the allowance", async () => {
    const [owner, other] = [DEV_ACCOUNTS.deployer.address, DEV_ACCOUNTS.facilitator.address];
    await send("mint", [owner, 10n]);
    await send("transfer", [buyer.address, 4n]);
    expect(await devnet.balanceOf(buyer.address)).toBe(100_000_004n);
    await expect(send("transfer", [buyer.address, 7n])).rejects.toThrow("transfer amount exceeds balance");
    await expect(send("transferFrom", [owner, buyer.address, 1n], other)).rejects.toThrow("exceeds allowance");
    await send("approve", [other, 2n]);
    await send("transferFrom", [owner, buyer.address, 2n], other);
    expect(await read("allowance", [owner, other])).toBe(0n);
    await expect(send("transfer", [`0x${"0".repeat(40)}`, 1n])).rejects.toThrow("zero address");
  });
});

describe("EIP-3009", () => {
  test("a transfer logs AuthorizationUsed and directly after it Transfer, with either form of the signature", async () => {
    const [one, other] = [await payment(), await payment()];
    const calls = [
      [one, split(one.payload.signature)],
      [other, [other.payload.signature]],
    ] as const;
    for (const [paid, signature] of calls) {
      const { nonce } = paid.payload.authorization;
      expect(await read("authorizationState", [buyer.address, nonce])).toBe(false);
      const events = await send("transferWithAuthorization", [...termsOf(paid), ...signature]);
      expect(events).toMatchObject([
        { eventName: "AuthorizationUsed", args: { authorizer: buyer.address, nonce } },
        { eventName: "Transfer", args: { from: buyer.address, to: devnet.payTo, value: 10_000_000n } },
      ]);
      expect(await read("authorizationState", [buyer.address, nonce])).toBe(true);
    }
    expect(await dollars()).toBe(80);
  });

  test("only the payee can redeem it, and only for what was signed", async () => {
    for (const form of [split, (signature: Hex) => [signature]]) {
      const paid = await payment();
      const signature = form(await receiptSigned(paid));
      const args = [...termsOf(paid), ...signature];
      await expect(send("receiveWithAuthorization", args)).rejects.toThrow("caller must be the payee");
      await expect(send("transferWithAuthorization", args)).rejects.toThrow("invalid signature");
      const events = await send("receiveWithAuthorization", args, devnet.payTo);
      expect(events.map(({ eventName }) => eventName)).toEqual(["AuthorizationUsed", "Transfer"]);
    }
    expect(await dollars()).toBe(80);
  });

  test("what was cancelled cannot be used, and what was used cannot be cancelled", async () => {
    const [cancelled, used] = [await payment(), await payment()];
    const cancel = async ({ payload }: Payment, form = split as (signature: Hex) => unknown[]) => {
      const { nonce } = payload.authorization;
      return send("cancelAuthorization", [buyer.address, nonce, ...form(await cancellationSigned(nonce))]);
    };
    const { nonce } = cancelled.payload.authorization;
    expect(await cancel(cancelled)).toMatchObject([{ eventName: "AuthorizationCanceled", args: { nonce } }]);
    await expect(transfer(cancelled)).rejects.toThrow("used or canceled");
    await transfer(used);
    await expect(cancel(used, (signature) => [signature])).rejects.toThrow("used or canceled");
    expect(await dollars()).toBe(90);
  });

  const v = (last: string) => async () => {
    const paid = await payment();
    return resigned(paid, `${paid.payload.signature.slice(0, 130)}${last}`);
  };
  const WRONG: readonly (readonly [string, (now: string) => Promise<Payment>, string])[] = [
    ["not yet valid", (now) => payment({ authorization: { validAfter: `${now}0` } }), "not yet valid"],
    ["expired", (now) => payment({ authorization: { validBefore: now } }), "expired"],
    ["signed by another", () => payment({ signer: DEV_ACCOUNTS.seller }), "invalid signature"],
    ["signed for another token", () => payment({ domain: { name: "USD Coin" } }), "invalid signature"],
    ["changed after signing", async () => altered(await payment(), { value: "1" }), "invalid signature"],
    ["of more than there is", () => payment({ authorization: { value: "100000001" } }), "exceeds balance"],
    ["of the other s", async () => otherS(await payment()), "'s' value"],
    ["of a v that is none", v("1d"), "'v' value"],
    ["of a signature that is too long", v("1b00"), "signature length"],
  ];

  test.each(WRONG)("refuses one %s", async (_, make, why) => {
    const { timestamp } = await devnet.client.getBlock();
    await expect(transfer(await make(String(timestamp)))).rejects.toThrow(why);
    expect(await dollars()).toBe(100);
  });

  test("refuses the same authorization twice", async () => {
    const paid = await payment();
    await transfer(paid);
    await expect(transfer(paid)).rejects.toThrow("used or canceled");
    expect(await dollars()).toBe(90);
  });

  test("the signature of a contract wallet is verified by the wallet (ERC-1271)", async () => {
    const wallet = await deploy(devnet.client, "OwnedWallet", [buyer.address]);
    await devnet.fund(wallet, 20);
    await transfer(await payment({ authorization: { from: wallet } }));
    const byAnother = await payment({ authorization: { from: wallet }, signer: DEV_ACCOUNTS.seller });
    await expect(transfer(byAnother)).rejects.toThrow("invalid signature");
    expect(await devnet.balanceOf(wallet)).toBe(10_000_000n);
  });
});

function domain() {
  return { name: "Test USD", version: "2", chainId: 31337, verifyingContract: devnet.token };
}

function receiptSigned(paid: Payment): Promise<Hex> {
  const [from, to, value, validAfter, validBefore, nonce] = termsOf(paid);
  const words = "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce";
  return buyer.signTypedData({
    domain: domain(),
    types: { ReceiveWithAuthorization: typeOf(words) },
    primaryType: "ReceiveWithAuthorization",
    message: { from, to, value, validAfter, validBefore, nonce },
  });
}

function cancellationSigned(nonce: Hex): Promise<Hex> {
  return buyer.signTypedData({
    domain: domain(),
    types: { CancelAuthorization: typeOf("address authorizer,bytes32 nonce") },
    primaryType: "CancelAuthorization",
    message: { authorizer: buyer.address, nonce },
  });
}

function typeOf(words: string): { type: string; name: string }[] {
  return words.split(",").map((word) => ({ type: word.split(" ")[0]!, name: word.split(" ")[1]! }));
}

/** The other signature of the same message, which wallets never make. */
function otherS(paid: Payment): Payment {
  return resigned(paid, highS(paid.payload.signature));
}
