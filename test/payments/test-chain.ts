import { encodeFunctionData, parseAbi, parseAbiItem } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { DEV_ACCOUNTS } from "../support/payments/chain/accounts.ts";
import { MULTICALL, TOKEN } from "../support/payments/chain/contracts.ts";
import { deploy } from "../support/payments/chain/devnet.ts";
import type { Devnet } from "../support/payments/direct-service.ts";
import { domainOf, type Offered, type Payment } from "./wallet.ts";

type Address = `0x${string}`;
type Call = { readonly target: Address; readonly callData: Address };

/** What anybody can do on the chain, without asking the service or its facilitator. */
export interface TestChain {
  mint(address: Address, dollars: number): Promise<void>;
  /** Base units that a wallet has paid to the service. */
  paidBy(address: Address): Promise<bigint>;
  /** Base units that the service has been paid by anybody. */
  takings(): Promise<bigint>;
  /** Submits a payment as a stranger who has seen it. @returns the transaction */
  submit(payment: Payment): Promise<Address>;
  /** Submits several in one transaction. */
  submitTogether(payments: readonly Payment[], more?: readonly Call[]): Promise<Address>;
  /** Cancels the authorization of a payment, as its payer may (EIP-3009). */
  cancel(account: PrivateKeyAccount, payment: Payment): Promise<void>;
  /** Sends everything that a wallet has to nobody. */
  drain(account: PrivateKeyAccount): Promise<void>;
  /** Allows the contract that makes many calls to spend, and says the call by which it pays the service. */
  transferFrom(account: PrivateKeyAccount, value: bigint): Promise<Call>;
  /** A contract that signs by its owner's key (ERC-1271). */
  contractWallet(owner: Address): Promise<Address>;
  succeeded(hash: Address): Promise<boolean>;
  /** Whether a block comes with every transaction. */
  automine(isOn: boolean): Promise<void>;
}

const BUNDLER: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";
const STRANGER = DEV_ACCOUNTS.deployer.address;
const NOBODY: Address = "0x000000000000000000000000000000000000dEaD";
const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");
const APPROVE = parseAbi([
  "function approve(address spender, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
]);

export function testChain({ client, token, payTo, fund, balanceOf }: Devnet): TestChain {
  const contract = { address: token, abi: TOKEN, account: STRANGER, chain: null } as const;
  const mined = async (hash: Address) => {
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`the chain threw ${hash} out`);
    return hash;
  };
  let minting: Promise<unknown> = Promise.resolve();
  return {
    mint(address, dollars) {
      // Two at once would be given the same nonce by the node.
      const mine = minting.then(() => fund(address, dollars));
      minting = mine.catch(() => undefined);
      return mine;
    },
    async paidBy(from) {
      const args = { from, to: payTo };
      const logs = await client.getLogs({ address: token, event: TRANSFER, args, fromBlock: 0n });
      return logs.reduce((sum, log) => sum + log.args.value!, 0n);
    },
    takings: () => balanceOf(payTo),
    submit: async (payment) =>
      mined(
        await client.writeContract({
          ...contract,
          functionName: "transferWithAuthorization",
          args: argumentsOf(payment),
        }),
      ),
    async submitTogether(payments, more = []) {
      const calls = [...payments.map((payment) => ({ target: token, callData: callOf(payment) })), ...more];
      const bundle = { address: BUNDLER, abi: MULTICALL, account: STRANGER, chain: null } as const;
      return mined(await client.writeContract({ ...bundle, functionName: "tryAggregate", args: [true, calls] }));
    },
    async cancel(account, { accepted, payload }) {
      const { nonce } = payload.authorization;
      const signature = await cancellationSigned(account, accepted, nonce);
      const args = [account.address, nonce, signature] as const;
      await mined(await client.writeContract({ ...contract, functionName: "cancelAuthorization", args }));
    },
    async drain({ address }) {
      await asIfBy(address, async () => {
        const args = [NOBODY, await balanceOf(address)] as const;
        await mined(await client.writeContract({ ...contract, account: address, functionName: "transfer", args }));
      });
    },
    async transferFrom({ address }, value) {
      await asIfBy(address, async () => {
        const approval = { ...contract, abi: APPROVE, account: address } as const;
        await mined(await client.writeContract({ ...approval, functionName: "approve", args: [BUNDLER, value] }));
      });
      const args = [address, payTo, value] as const;
      return { target: token, callData: encodeFunctionData({ abi: APPROVE, functionName: "transferFrom", args }) };
    },
    contractWallet: (owner) => deploy(client, "OwnedWallet", [owner]),
    succeeded: async (hash) => (await client.getTransactionReceipt({ hash })).status === "success",
    automine: (isOn) => client.setAutomine(isOn),
  };

  /** The node signs for an address whose key it has not; gas is on the house. */
  async function asIfBy(address: Address, work: () => Promise<void>): Promise<void> {
    await client.impersonateAccount({ address });
    await client.setBalance({ address, value: 10n ** 18n });
    await work();
    await client.stopImpersonatingAccount({ address });
  }
}

function argumentsOf({ payload: { authorization, signature } }: Payment) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const;
}

function callOf(payment: Payment): Address {
  return encodeFunctionData({ abi: TOKEN, functionName: "transferWithAuthorization", args: argumentsOf(payment) });
}

function cancellationSigned(account: PrivateKeyAccount, offer: Offered, nonce: Address): Promise<Address> {
  return account.signTypedData({
    domain: domainOf(offer),
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: account.address, nonce },
  });
}
