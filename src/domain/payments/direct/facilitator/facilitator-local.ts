import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { encodeFunctionData } from "viem";
import { SECOND } from "../../../../platform/clock.ts";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import { within } from "../../../../platform/time-limit.ts";
import type { PaymentLog } from "../../orders/deps.ts";
import { isAway, kindOf } from "../chain/evm-rpc.ts";
import { reasonOf } from "../protocol/reasons.ts";
import { type Facilitator, FacilitatorUnreachable } from "./facilitator.ts";
import { FacilitatorWallet, type WalletSettings } from "./facilitator-wallet.ts";

/** In ms. A payment that is not in a block by then is found by its chain, or not at all. */
const TIMES = { verify: 10 * SECOND, settle: 30 * SECOND, receipt: 25 * SECOND };

/** What became of one payment on its way through the library, which tells much of it as one and the same thing. */
interface Attempt {
  /** The chain did not answer: what the library makes of that, such as a wrong signature, is not so. */
  hasChainFailed: boolean;
  /** It has left this process. */
  isSent: boolean;
  /** Nobody waits for it any more. */
  isOver: boolean;
}

/** A facilitator in this process: the library's own rules, and an account of ours (X402_FACILITATOR_KEY). */
export function localFacilitator(
  settings: WalletSettings & { readonly network: string },
  http: HttpClient,
  log: PaymentLog,
  times = TIMES,
): Facilitator {
  const wallet = new FacilitatorWallet(settings, http);
  const attempted = () => {
    const attempt: Attempt = { hasChainFailed: false, isSent: false, isOver: false };
    return { attempt, scheme: new ExactEvmScheme(signerOf(wallet, attempt, log, times.receipt)) };
  };
  /** @returns null where it failed or took too long */
  const answered = <T>(work: Promise<T>, ms: number): Promise<T | null> => {
    const failed = (thrown: unknown) => {
      log.error({ problem: (thrown as Error).name }, "the library of the facilitator has failed");
      return null;
    };
    return within(work.catch(failed), ms);
  };
  return {
    async verify(payload, requirements) {
      const { attempt, scheme } = attempted();
      const said = await answered(scheme.verify(wireOf(payload), wireOf(requirements)), times.verify);
      if (!said || attempt.hasChainFailed) throw new FacilitatorUnreachable();
      return said.isValid ? { isValid: true } : { isValid: false, reason: reasonOf(said.invalidReason) };
    },
    async settle(payload, requirements) {
      const { attempt, scheme } = attempted();
      const said = await answered(scheme.settle(wireOf(payload), wireOf(requirements)), times.settle);
      attempt.isOver = true;
      if (said?.success) return { outcome: "done" };
      if (!said || attempt.isSent || attempt.hasChainFailed) return { outcome: "unknown" };
      const reason = reasonOf(said.errorReason);
      // Both are said of a payment that an earlier call has sent.
      return reason === "already_used" || reason === "expired"
        ? { outcome: "unknown" }
        : { outcome: "refused", reason };
    },
    async serves(network) {
      const isBroke = await wallet.lacksGas().catch(() => false);
      if (isBroke) log.error({ account: wallet.address }, NO_GAS);
      return network === settings.network;
    },
  };
}

const NO_GAS = "the account of X402_FACILITATOR_KEY has not enough to pay the gas of a payment: no payment is settled";

/** What the library asks of an account and its chain. */
function signerOf(wallet: FacilitatorWallet, attempt: Attempt, log: PaymentLog, receiptMs: number): Signer {
  const { client } = wallet;
  const noting = <T>(work: Promise<T>): Promise<T> =>
    work.catch((thrown) => {
      attempt.hasChainFailed ||= isAway(thrown);
      throw thrown;
    });
  const beforeSend = () => {
    if (attempt.isOver) throw new Error("too late");
    attempt.isSent = true;
  };
  return {
    getAddresses: () => [wallet.address],
    // The library lets go of a question it has no more use for, and nobody would catch what it throws.
    getCode: (args) => noting(client.getCode(args)).catch(() => undefined),
    readContract: (args) => noting(client.readContract(args)),
    verifyTypedData: (args) => noting(client.verifyTypedData(args as never)),
    async writeContract({ address, abi, functionName, args }) {
      const data = encodeFunctionData({ abi, functionName, args });
      try {
        return await noting(wallet.send({ to: address, data }, beforeSend));
      } catch (thrown) {
        if (isAway(thrown)) await tellWhy(thrown);
        throw thrown;
      }
    },
    // Contracts of wallets that do not exist yet (ERC-6492) are not made here.
    sendTransaction: async () => {
      throw new Error("no other transaction is sent");
    },
    waitForTransactionReceipt: ({ hash }) => wallet.receiptOf(hash, receiptMs),
  };

  async function tellWhy(thrown: unknown): Promise<void> {
    if (await wallet.lacksGas().catch(() => false)) log.error({ account: wallet.address }, NO_GAS);
    else log.warn({ problem: kindOf(thrown) }, "a payment could not be sent to the chain");
  }
}

type Signer = ConstructorParameters<typeof ExactEvmScheme>[0];

/** The library's types are wider, and not readonly. */
function wireOf<T>(value: unknown): T {
  return value as T;
}
