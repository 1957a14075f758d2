import { SECOND } from "../../../../platform/clock.ts";
import type { DirectSettings } from "../../../../platform/config/payment.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { cut } from "../../../../platform/text.ts";
import type { PaymentLog } from "../../orders/deps.ts";
import { type BlockId, type Chain, ChainUnreachable, type TokenInfo, WrongChain } from "../chain/chain.ts";
import { type Facilitator, FacilitatorUnreachable } from "../facilitator/facilitator.ts";
import { checksummed, type Domain } from "../protocol/terms.ts";

export interface StartupCheckDeps {
  readonly settings: DirectSettings;
  readonly chain: Pick<Chain, "token" | "verify">;
  readonly facilitator: Pick<Facilitator, "serves">;
  /** A block that the chain must still have; null if none is known. */
  readonly checkpoint: BlockId | null;
  readonly log: PaymentLog;
  /** Real time. */
  readonly now?: () => number;
}

/** Pause before a chain that did not answer is checked again. */
const PAUSE = 10 * SECOND;

/**
 * Checks the settings against the chain and the facilitator. If the chain does not answer, the service starts anyway,
 * and the chain is checked again when somebody wants to pay.
 * @returns reads the domain of the token;
 * @throws Refusal unavailable until the settings are known to fit
 * @throws Error naming the setting that does not fit
 */
export async function checkSettings({ now = Date.now, ...parts }: StartupCheckDeps): Promise<() => Promise<Domain>> {
  refuseAddresses(parts.settings);
  let domain = await checkOnce(parts);
  let triedAt = now();
  let trying: Promise<void> | null = null;
  let isOff = false;

  const again = async () => {
    try {
      domain = await checkOnce(parts);
      if (domain) parts.log.info({}, "direct payment is open: the settings fit the chain and the facilitator");
    } catch (thrown) {
      isOff = true;
      parts.log.error({ problem: (thrown as Error).message }, "direct payment stays closed until a restart");
    }
    triedAt = now();
    trying = null;
  };
  return async () => {
    if (!domain && !isOff && now() - triedAt >= PAUSE) trying ??= again();
    await trying;
    if (!domain) throw closed();
    return domain;
  };
}

/**
 * @returns null if the chain did not answer.
 * @throws Error naming the setting that does not fit
 */
async function checkOnce({ settings, chain, facilitator, checkpoint, log }: StartupCheckDeps): Promise<Domain | null> {
  const { network } = settings;
  const [facts, serves] = await Promise.all([
    chain.token().catch((thrown) => only(thrown, ChainUnreachable)),
    facilitator.serves(network).catch((thrown) => only(thrown, FacilitatorUnreachable)),
  ]);
  if (!(facts instanceof ChainUnreachable)) refuseToken(settings, facts);
  if (serves === false)
    throw new Error(`X402_FACILITATOR_URL: it does not serve the scheme exact of x402 v2 on ${network}`);
  // Only what it serves is checked here; each payment shows whether it settles.
  if (serves instanceof FacilitatorUnreachable)
    log.warn(
      { network },
      `X402_FACILITATOR_URL: the facilitator does not say what it serves (${serves.message}); payments may not be settled`,
    );
  if (facts instanceof ChainUnreachable) {
    log.warn({ network }, `X402_RPC_URL: direct payment is closed until the chain answers. ${facts.message}`);
    return null;
  }
  if (checkpoint) await noteIfStartedAgain(chain, checkpoint, log);
  return { name: facts.name, version: facts.version };
}

/** Each payment is refused while the chain lacks the checkpoint. It may be set right without a restart. */
async function noteIfStartedAgain(chain: Pick<Chain, "verify">, checkpoint: BlockId, log: PaymentLog): Promise<void> {
  try {
    await chain.verify(checkpoint);
  } catch (thrown) {
    const { message } = only(thrown, ChainUnreachable);
    log[thrown instanceof WrongChain ? "error" : "warn"](
      {},
      `${message} Direct payments wait until it has that block.`,
    );
  }
}

/** @throws what is not of this kind */
function only<E extends Error>(thrown: unknown, kind: abstract new (...parts: never[]) => E): E {
  if (thrown instanceof kind) return thrown;
  throw thrown;
}

/** @throws Error */
function refuseAddresses({ asset, payTo }: DirectSettings): void {
  for (const [setting, address] of Object.entries({ X402_ASSET: asset, X402_PAY_TO: payTo })) {
    const isMixed = /[a-f]/.test(address) && /[A-F]/.test(address);
    if (isMixed && address !== checksummed(address))
      throw new Error(`${setting}: ${address} is mistyped: its letters do not fit its checksum (EIP-55)`);
  }
  if (/^0x0+$/.test(payTo)) throw new Error(`X402_PAY_TO: ${payTo} belongs to nobody; what is paid to it is lost`);
  if (payTo.toLowerCase() === asset.toLowerCase())
    throw new Error(`X402_PAY_TO: ${payTo} is the token of X402_ASSET itself; what is paid to it is lost`);
}

/** @throws Error */
function refuseToken({ network, asset }: DirectSettings, facts: TokenInfo): void {
  const { chainId, isContract, decimals, name, version, isDomain } = facts;
  const actual = `eip155:${chainId}`;
  if (actual !== network) throw new Error(`X402_NETWORK: the chain at X402_RPC_URL is ${actual}, not ${network}`);
  if (!isContract) throw new Error(`X402_ASSET: no contract stands at ${asset} on ${network}`);
  if (decimals !== 6)
    throw new Error(`X402_ASSET: the token at ${asset} has ${decimals ?? "an unknown number of"} decimals, not 6`);
  if (!isDomain)
    throw new Error(
      `X402_ASSET: the token at ${asset} says it is ${quoted(name)} version ${quoted(version)}, and its DOMAIN_SEPARATOR does not follow from these: payments to it could not be signed`,
    );
}

function quoted(text: string): string {
  return JSON.stringify(cut(text, 60));
}

function closed(): Refusal {
  return new Refusal(
    "unavailable",
    "Direct payment is closed at the moment. Try again later, or buy credits with buy_credits.",
    {},
    { "Retry-After": String(PAUSE / SECOND) },
  );
}
