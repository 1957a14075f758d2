import { randomBytes } from "node:crypto";
import type { TypedDataDomain } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

type Hex = `0x${string}`;

/** An offer, as PAYMENT-REQUIRED lists it. */
export interface Offered {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string; readonly assetTransferMethod?: string };
}

/** PAYMENT-REQUIRED, decoded. */
export interface Price {
  readonly x402Version: 2;
  readonly error?: string;
  readonly resource: { readonly url: string; readonly description?: string; readonly mimeType?: string };
  readonly accepts: readonly Offered[];
  readonly extensions?: Record<string, unknown>;
}

/** An authorization of EIP-3009 on the wire. */
export interface Signed {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

/** PAYMENT-SIGNATURE, decoded. */
export interface Payment {
  readonly x402Version: 2;
  readonly resource: Price["resource"];
  readonly accepted: Offered;
  readonly payload: { readonly signature: Hex; readonly authorization: Signed };
}

/** What a payment signs in place of what the offer says. */
export interface PaymentChanges {
  readonly authorization?: Partial<Signed>;
  readonly domain?: TypedDataDomain;
  /** The account whose key signs in place of the buyer's. */
  readonly signer?: PrivateKeyAccount;
}

export function newWallet(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

export function newNonce(): Hex {
  return `0x${randomBytes(32).toString("hex")}`;
}

/** Signs a payment of the first offer as an honest client does, with changes. @param now seconds since 1970 */
export async function pay(
  account: PrivateKeyAccount,
  { resource, accepts: [accepted] }: Price,
  now: number,
  { authorization = {}, domain = {}, signer = account }: PaymentChanges = {},
): Promise<Payment> {
  const offer = accepted!;
  const signed: Signed = {
    from: account.address,
    to: offer.payTo,
    value: offer.amount,
    validAfter: "0",
    validBefore: String(now + offer.maxTimeoutSeconds),
    nonce: newNonce(),
    ...authorization,
  };
  const signature = await transferSigned(signer, offer, signed, domain);
  return { x402Version: 2, resource, accepted: offer, payload: { signature, authorization: signed } };
}

/** Signs a TransferWithAuthorization of the token. */
export function transferSigned(
  signer: PrivateKeyAccount,
  offer: Offered,
  { from, to, value, validAfter, validBefore, nonce }: Signed,
  domain: TypedDataDomain = {},
): Promise<Hex> {
  const message = { from, to, nonce, ...whole({ value, validAfter, validBefore }) };
  const primaryType = "TransferWithAuthorization";
  return signer.signTypedData({ domain: { ...domainOf(offer), ...domain }, types: TYPES, primaryType, message });
}

function whole({ value, validAfter, validBefore }: Pick<Signed, "value" | "validAfter" | "validBefore">) {
  return { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
}

/** EIP-712 domain of the token. */
export function domainOf({ network, asset, extra }: Offered) {
  const chainId = Number(network.slice("eip155:".length));
  return { name: extra.name, version: extra.version, chainId, verifyingContract: asset } as const;
}

/** A payment whose authorization was changed after signing. */
export function altered(payment: Payment, authorization: Partial<Record<keyof Signed, unknown>>): Payment {
  const { payload } = payment;
  const changed = { ...payload.authorization, ...authorization } as Signed;
  return { ...payment, payload: { ...payload, authorization: changed } };
}

/** A payment with another signature. */
export function resigned(payment: Payment, signature: unknown): Payment {
  return { ...payment, payload: { ...payment.payload, signature: signature as Hex } };
}

/** The same signature in its other form: s above half of the curve's order, v flipped. */
export function highS(signature: Hex): Hex {
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === "1b" ? "1c" : "1b";
  return `${signature.slice(0, 66) as Hex}${(ORDER - s).toString(16).padStart(64, "0")}${v}`;
}

/** Encodes a header: base64 of JSON. */
export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
export function decoded(header: string | null): any {
  if (header === null) throw new Error("the header is not there");
  return JSON.parse(Buffer.from(header, "base64").toString("utf8"));
}

/** Order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;
