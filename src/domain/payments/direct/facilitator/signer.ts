import type { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { encodeFunctionData, RpcRequestError } from "viem";
import { findCause, isAway } from "../chain/evm-rpc.ts";
import { TooMuchGas } from "./wallet/account.ts";
import type { SentTransaction } from "./wallet/unmined.ts";
import type { FacilitatorWallet } from "./wallet/wallet.ts";

/** The real outcome of one payment in the library, which reports several outcomes as one and the same. */
export interface Attempt {
  /** The chain did not answer: the error that the library reports for it, such as a wrong signature, is not true. */
  hasChainFailed: boolean;
  /** The wallet has the payment, and sends it or has sent it. */
  isHandedOver: boolean;
  sent: SentTransaction | null;
  /** Why the wallet did not send it. */
  failure: unknown;
}

export function newAttempt(): Attempt {
  return { hasChainFailed: false, isHandedOver: false, sent: null, failure: null };
}

type Signer = ConstructorParameters<typeof ExactEvmScheme>[0];

/**
 * What the library needs of an account and its chain.
 * @param receiptMs how long it waits for the transaction to be mined
 */
export function signerOf(wallet: FacilitatorWallet, attempt: Attempt, receiptMs: number): Signer {
  const { client } = wallet;
  const noting = <T>(work: Promise<T>): Promise<T> =>
    work.catch((thrown) => {
      attempt.hasChainFailed ||= isAway(thrown);
      throw thrown;
    });
  return {
    getAddresses: () => [wallet.address],
    // The library abandons requests that it no longer needs, so nobody would catch their errors.
    getCode: (args) => noting(client.getCode(args)).catch(() => undefined),
    readContract: (args) => noting(client.readContract(args)),
    verifyTypedData: (args) => noting(client.verifyTypedData(args as never)),
    async writeContract({ address, abi, functionName, args }) {
      const data = encodeFunctionData({ abi, functionName, args });
      const handOver = () => {
        attempt.isHandedOver = true;
      };
      try {
        attempt.sent = await wallet.send({ to: address, data }, handOver);
        return attempt.sent.hashes.at(-1)!;
      } catch (thrown) {
        attempt.hasChainFailed ||= !isRefusal(thrown);
        attempt.failure = thrown;
        throw thrown;
      }
    },
    // Contract wallets that do not exist yet (ERC-6492) are not created here.
    sendTransaction: async () => {
      throw new Error("no other transaction is sent");
    },
    waitForTransactionReceipt: () => wallet.receiptOf(attempt.sent!, receiptMs),
  };
}

/** Whether the chain says that the transfer would fail. Any other error says nothing about that. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof TooMuchGas || (findCause(thrown, RpcRequestError) !== null && !isAway(thrown));
}
