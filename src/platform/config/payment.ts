import { PROVIDER_SETTINGS } from "./provider-settings.ts";
import type { Settings } from "./settings.ts";
import { isTestNetwork } from "./test-networks.ts";

type Mode = "sandbox" | "live";

/** The part of the settings that is about payments. */
export interface PaymentSettings {
  readonly cards: CardMethodId;
  readonly stripe: StripeSettings | undefined;
  /** Signs the events of the sandbox's payment page; set by those who send events themselves. */
  readonly webhookSecret: string | undefined;
  readonly direct: DirectSettings | undefined;
}

/** What handles card payments: Stripe, the payment page of the sandbox, or nothing. */
export type CardMethodId = "stripe" | "sandbox" | "none";

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Whether the key, and so every event, is about real money. */
  readonly isLive: boolean;
  /** Whether it works out the tax that the price contains. */
  readonly hasTax: boolean;
  /** Base URL to use instead of Stripe's. */
  readonly url: string | undefined;
}

/** Direct payment by x402 on an EVM chain. */
export interface DirectSettings {
  /** CAIP-2, e.g. `eip155:8453`. */
  readonly network: string;
  readonly chainId: number;
  /** The token's contract. */
  readonly asset: string;
  readonly payTo: string;
  /** Nodes of the chain, by JSON-RPC: at least one. */
  readonly rpcUrls: readonly string[];
  /** Settles payments. */
  readonly facilitatorUrl: string;
  readonly confirmations: number;
}

export function paymentSettings(s: Settings, mode: Mode): PaymentSettings {
  return {
    cards: cardsOf(s, mode),
    stripe: stripeSettings(s),
    webhookSecret: s.STRIPE_WEBHOOK_SECRET,
    direct: directSettings(s),
  };
}

function cardsOf(s: Settings, mode: Mode): CardMethodId {
  if (s.PAYMENTS === "off") return "none";
  if (s.STRIPE_SECRET_KEY !== undefined) return "stripe";
  return mode === "sandbox" || s.BECKON_ALLOW_SANDBOX.includes("payment") ? "sandbox" : "none";
}

function stripeSettings(s: Settings): StripeSettings | undefined {
  const secretKey = s.STRIPE_SECRET_KEY;
  const webhookSecret = s.STRIPE_WEBHOOK_SECRET;
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  return {
    secretKey,
    webhookSecret,
    isLive: isLiveKey(secretKey),
    hasTax: s.STRIPE_TAX === "on",
    url: s.PROVIDER_URLS.stripe,
  };
}

function isLiveKey(key: string): boolean {
  return /^.k_live_/.test(key);
}

function directSettings(s: Settings): DirectSettings | undefined {
  const { X402_NETWORK: network, X402_ASSET: asset, X402_PAY_TO: payTo, X402_RPC_URL: rpcUrls } = s;
  const { X402_FACILITATOR_URL: facilitatorUrl } = s;
  if (!network || !asset || !payTo || !rpcUrls || !facilitatorUrl) return undefined;
  const chainId = Number(network.slice("eip155:".length));
  return { network, chainId, asset, payTo, rpcUrls, facilitatorUrl, confirmations: s.X402_CONFIRMATIONS };
}

/** @returns what is wrong with the payment settings, in themselves and together with the engines */
export function paymentProblems(s: Settings, mode: Mode): string[] {
  const wrong: string[] = [];
  const allowsSandboxPayments = mode === "live" && s.BECKON_ALLOW_SANDBOX.includes("payment");
  const { STRIPE_SECRET_KEY: stripe, X402_NETWORK: network } = s;
  if (stripe !== undefined && s.STRIPE_WEBHOOK_SECRET === undefined)
    wrong.push("STRIPE_WEBHOOK_SECRET: missing; without it, card payments would never be credited");
  if (stripe !== undefined && mode === "sandbox" && isLiveKey(stripe))
    wrong.push("STRIPE_SECRET_KEY: real money cannot be combined with sandbox engines; use a test key");
  if (stripe !== undefined && mode === "live" && !isLiveKey(stripe) && !allowsSandboxPayments)
    wrong.push("STRIPE_SECRET_KEY: a live service needs a live key (BECKON_ALLOW_SANDBOX=payment for staging)");
  if (mode === "live" && s.PAYMENTS === "on" && stripe === undefined && network === undefined && !allowsSandboxPayments)
    wrong.push(
      "STRIPE_SECRET_KEY: a live service needs a way to be paid: set it or X402_NETWORK, or PAYMENTS=off for one that sells nothing (BECKON_ALLOW_SANDBOX=payment for staging)",
    );
  return [...wrong, ...networkProblems(s, mode), ...directProblems(s), ...offProblems(s), ...openDoorProblems(s, mode)];
}

/**
 * A live service takes a test network only if the setting names that network: whoever writes its name knows that its
 * payments are worth nothing, and the permission ends with the network.
 */
function networkProblems({ X402_NETWORK: network, X402_ALLOW_TEST_NETWORK: allowed }: Settings, mode: Mode): string[] {
  const isTest = network !== undefined && isTestNetwork(network);
  if (mode === "sandbox") {
    if (allowed !== undefined) return ["X402_ALLOW_TEST_NETWORK: applies to a live service only"];
    if (network === undefined || isTest) return [];
    return ["X402_NETWORK: real money cannot be combined with sandbox engines; use a test network"];
  }
  if (allowed !== undefined && !(isTest && allowed === network))
    return ["X402_ALLOW_TEST_NETWORK: must be the test network that X402_NETWORK names, or not be set"];
  if (!isTest || allowed === network) return [];
  return [
    `X402_NETWORK: ${network} is a test network, whose payments are worth nothing; a live service needs a network with real money (X402_ALLOW_TEST_NETWORK=${network} for staging)`,
  ];
}

/** Refuses an incomplete configuration, which would otherwise switch direct payment off silently. */
function directProblems(s: Settings): string[] {
  const needed = ["X402_NETWORK", "X402_ASSET", "X402_PAY_TO", "X402_RPC_URL", "X402_FACILITATOR_URL"] as const;
  const missing = needed.filter((name) => s[name] === undefined);
  return missing.length === needed.length ? [] : missing.map((name) => `${name}: missing for direct payment`);
}

/** A service that sells nothing has no use for what takes money. */
function offProblems(s: Settings): string[] {
  if (s.PAYMENTS === "on") return [];
  const names = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "X402_NETWORK"] as const;
  return names.flatMap((name) =>
    s[name] === undefined ? [] : [`${name}: nothing is sold with PAYMENTS=off; remove one of the two`],
  );
}

/** Payments that are worth nothing, in the hands of strangers, would spend what the keys of providers cost. */
function openDoorProblems(s: Settings, mode: Mode): string[] {
  if (mode === "sandbox" || s.SIGNUP !== "open" || s.PAYMENTS === "off") return [];
  const worthless = worthlessPayment(s);
  const [key] = paidKeys(s);
  if (worthless === null || key === undefined) return [];
  return [
    `SIGNUP: anybody could sign up, pay with ${worthless}, which is worth nothing, and spend ${key}; set SIGNUP=off, or PAYMENTS=off`,
  ];
}

/** What takes payments that are worth nothing; null: only real money is taken. */
function worthlessPayment(s: Settings): string | null {
  if (s.X402_NETWORK !== undefined && isTestNetwork(s.X402_NETWORK)) return `the test network ${s.X402_NETWORK}`;
  if (s.STRIPE_SECRET_KEY !== undefined) return isLiveKey(s.STRIPE_SECRET_KEY) ? null : "test cards";
  return s.BECKON_ALLOW_SANDBOX.includes("payment") ? "the sandbox's payment page" : null;
}

/** The keys of providers that are reached over the network, and not at a loopback address as fakes are. */
function paidKeys(s: Settings): string[] {
  return Object.entries(PROVIDER_SETTINGS).flatMap(([name, row]) => {
    const isKey = "providers" in row && "secret" in row && s[name as keyof typeof PROVIDER_SETTINGS] !== undefined;
    if (!isKey) return [];
    return row.providers.every((provider) => isLoopback(s.PROVIDER_URLS[provider])) ? [] : [name];
  });
}

function isLoopback(url: string | undefined): boolean {
  return url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
