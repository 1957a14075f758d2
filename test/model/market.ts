import { quorumOf } from "../../src/domain/payments/direct/chain/quorum.ts";
import { requirementsOf, termsOf } from "../../src/domain/payments/direct/protocol/terms.ts";
import type { Requirements } from "../../src/domain/payments/direct/protocol/x402.ts";
import { Checkpoint } from "../../src/domain/payments/direct/settlement/checkpoint.ts";
import { TIMEOUTS, type Timeouts } from "../../src/domain/payments/direct/settlement/timeouts.ts";
import { X402Payments } from "../../src/domain/payments/direct/x402-payments.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import type { DirectSettings } from "../../src/platform/config/payment.ts";
import { DIRECT } from "../support/payments/direct-world.ts";
import { MemoryChain } from "../support/payments/memory-chain.ts";
import { MemoryFacilitator } from "../support/payments/memory-facilitator.ts";
import type { MemoryNode } from "../support/payments/memory-node.ts";
import { CHAIN } from "../support/payments/memory-token.ts";
import { MemoryWallet } from "../support/payments/memory-wallet.ts";
import { TestClock } from "../support/service/clock.ts";
import type { History } from "./commands.ts";
import { crashingChain, crashingFacilitator } from "./crash-points.ts";
import { FakeCardProcessor } from "./fake-card-processor.ts";
import { type Process, World } from "./world.ts";

export const BUYERS = 3;

/** Number of blocks that a reorganisation can replace. */
export const FINALITY = 3;

const CONFIG = readConfig(DIRECT);
const TERMS = termsOf(CONFIG.direct!, CONFIG.siteUrl);
const FUNDS = 10n ** 9n;

export const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A signed payment, and the answers to those who presented it. */
export interface SignedPayment {
  readonly signed: ReturnType<MemoryWallet["pay"]>;
  readonly pack: number;
  /** One entry for each presentation, with its answer. */
  readonly told: Told[];
  /** Buyers whose calls with it are running. */
  readonly presenting: number[];
  /** Buyers who were presenting it when it was first submitted: one of them is the buyer of the order. */
  takers: ReadonlySet<number> | null;
  /** The facilitator refused the first request to settle it, truthfully or not. */
  isRefused: boolean;
}

export interface Told {
  readonly buyer: number;
  readonly pack: number;
  /** `paid`, or the code of the refusal. */
  readonly what: string;
  readonly orderId?: string;
  /** The facilitator had been asked to settle it by then. */
  readonly isHandedOver: boolean;
}

/** Beckon with all that its payments involve: buyers with wallets, a card processor, a chain and a facilitator. */
export class Market {
  readonly clock = new TestClock();
  readonly processor = new FakeCardProcessor(this.clock);
  readonly chain = new MemoryChain(this.clock);
  readonly facilitator = new MemoryFacilitator(this.chain);
  readonly world: World;
  /** The buyer who opened a payment page, by order id. */
  readonly openers = new Map<string, number>();
  /** The order of each idempotency key, and the time of its first call. */
  readonly answered = new Map<string, { id: string; at: number }>();
  readonly payments: SignedPayment[] = [];
  /** Ids of orders that calls have returned. */
  readonly promised = new Set<string>();
  /** Runs once, while the facilitator settles the next payment. */
  meanwhile: (() => Promise<void>) | null = null;
  /** A third party submits the next payment before the facilitator does. */
  frontRun = false;
  /** The chain mines no blocks while a call waits. */
  isSlow = false;
  /** A reorganisation has happened, so that transfers may have disappeared from the chain. */
  hasReorganised = false;
  /** Number of commits when the laws were last checked. */
  proved = -1;
  /** Makes the links of each submission unique. */
  serial = 0;
  readonly #settings: DirectSettings;
  readonly #wallets = Array.from({ length: BUYERS }, (_, number) => new MemoryWallet(`buyer ${number}`));

  /** Nodes of the chain; the first is the chain itself. */
  readonly nodes: readonly MemoryNode[];

  constructor({ confirmations, nodes }: Pick<History, "confirmations" | "nodes">) {
    this.#settings = { ...CONFIG.direct!, confirmations };
    this.nodes = [this.chain, ...Array.from({ length: nodes - 1 }, () => this.chain.node())];
    for (const node of this.nodes) node.finality = FINALITY;
    this.chain.mine(FINALITY);
    for (const { address } of this.#wallets) this.chain.fund(address, FUNDS);
    this.world = new World({
      clock: this.clock,
      accounts: BUYERS,
      config: { cards: "stripe", direct: this.#settings },
      payments: (process) => ({ cards: this.processor.cards(process.crashIfDue), direct: this.#direct(process) }),
    });
  }

  /** Opens the database, and stores the checkpoint of the chain, as after an earlier start. */
  async open(): Promise<void> {
    await this.world.open();
    const { db } = this.world.process;
    await new Checkpoint({ db, chain: this.chain, terms: TERMS }).current();
  }

  /** Payment requirements of a pack. */
  requirements(pack: number): Requirements {
    return requirementsOf(TERMS, CHAIN.domain, PACKS[pack]!);
  }

  wallet(buyer: number): MemoryWallet {
    return this.#wallets[buyer]!;
  }

  /** Amount that buyers have paid us on the chain, in base units. */
  get received(): bigint {
    return this.chain.balanceOf(CHAIN.payTo.toLowerCase());
  }

  #direct(process: Omit<Process, "payments">): X402Payments {
    const { db, clock, config, crashIfDue } = process;
    return new X402Payments({
      ...{ db, clock, config, log: QUIET, settings: this.#settings, timeouts: this.#timeouts },
      chain: crashingChain(this.nodes.length === 1 ? this.chain : quorumOf(this.nodes), crashIfDue),
      facilitator: crashingFacilitator(this, crashIfDue),
      domain: async () => CHAIN.domain,
    });
  }

  readonly #timeouts: Timeouts = {
    ...TIMEOUTS,
    within: (work) => work,
    sleep: async (ms) => {
      this.clock.pass(ms);
      if (!this.isSlow) this.chain.mine();
    },
  };
}
