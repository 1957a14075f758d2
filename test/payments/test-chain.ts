import { encodeFunctionData, parseAbi, parseAbiItem } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { DEV_ACCOUNTS } from "../support/payments/chain/accounts.ts";
import { MULTICALL, TOKEN } from "../support/payments/chain/contracts.ts";
import { deploy } from "../support/payments/chain/devnet.ts";
import type { Devnet } from "../support/payments/direct-service.ts";
import { domainOf, type Offered, type Payment } from "./wallet.ts";

type Address = `0x${string}`;
type Call = { readonly target: Address; readonly callData: Address };

/** Actions on the chain by others than the service and its facilitator. */
export interface TestChain {
  mint(address: Address, dollars: number): Promise<void>;
  /** Amount that a wallet has paid to the service, in base units. */
  paidBy(address: Address): Promise<bigint>;
  /** Amount that the service has received, in base units. */
  takings(): Promise<bigint>;
  /** Submits a payment as a third party that has seen it. @returns the transaction */
  submit(payment: Payment): Promise<Address>;
  /** Submits several in one transaction. */
  submitTogether(payments: readonly Payment[], more?: readonly Call[]): Promise<Address>;
  /** Cancels the authorization of a payment, as its payer may (EIP-3009). */
  cancel(account: PrivateKeyAccount, payment: Payment): Promise<void>;
  /** Sends all tokens of a wallet to an unused address. */
  drain(account: PrivateKeyAccount): Promise<void>;
  /** Approves Multicall3 as a spender. @returns the call by which that pays the service */
  transferFrom(account: PrivateKeyAccount, value: bigint): Promise<Call>;
  /** Deploys a contract wallet that accepts signatures of its owner (ERC-1271). */
  contractWallet(owner: Address): Promise<Address>;
  succeeded(hash: Address): Promise<boolean>;
  /** Sets whether each transaction is mined at once. */
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
    if (status !== "success") throw new Error(`transaction ${hash} was reverted`);
    return hash;
  };
  let minting: Promise<unknown> = Promise.resolve();
  return {
    mint(address, dollars) {
      // The node would give two concurrent transactions the same nonce.
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

  /** Sends transactions of any address: the node impersonates it, and it gets money for gas. */
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
