import { privateKeyToAccount } from "viem/accounts";

/**
 * The first accounts of every local chain, by the phrase "test test test test test test test test test test test junk".
 * Their keys are public: money sent to them on a public chain is stolen at once.
 */
const KEYS = {
  deployer: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  facilitator: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  seller: "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  buyer: "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
} as const;

export const DEV_ACCOUNTS = {
  /** Deploys the contracts, and mints. */
  deployer: accountOf(KEYS.deployer),
  /** Pays the gas of payments. */
  facilitator: accountOf(KEYS.facilitator),
  /** Receives payments. */
  seller: accountOf(KEYS.seller),
  buyer: accountOf(KEYS.buyer),
};

function accountOf(key: `0x${string}`) {
  return { key, ...privateKeyToAccount(key) };
}
