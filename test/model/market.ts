import { quorumOf } from "../../src/domain/payments/direct/chain/quorum.ts";
import { requirementsOf, termsOf } from "../../src/domain/payments/direct/protocol/terms.ts";
import type { Requirements } from "../../src/domain/payments/direct/protocol/x402.ts";
import { Checkpoint } from "../../src/domain/payments/direct/settlement/checkpoint.ts";
import { TIMEOUTS, type Timeouts } from "../../src/domain/payments/direct/settlement/timeouts.ts";
import { X402Payments } from "../../src/domain/payments/direct/x402-payments.ts";
import { PACKS } from "../../src/domain/payments/orders/prices.ts";
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

/** Blocks that a reorganisation can undo. */
export const FINALITY = 3;

const CONFIG = readConfig(DIRECT);
const TERMS = termsOf(CONFIG.direct!, CONFIG.siteUrl);
const FUNDS = 10n ** 9n;

export const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What a buyer has signed, and what became of it as far as anybody has said. */
export interface SignedPayment {
  readonly signed: ReturnType<MemoryWallet["pay"]>;
  readonly pack: number;
  /** Everybody who has presented it, and what they were told. */
  readonly told: Told[];
  /** Those who are presenting it now. */
  readonly presenting: number[];
  /** Those who presented it when it was first handed over: one of them has bought. */
  takers: ReadonlySet<number> | null;
  /** The facilitator has said, rightly or not, that it would not be handed over, when it was asked to for the first time. */
  isRefused: boolean;
}

export interface Told {
  readonly buyer: number;
  readonly pack: number;
  /** `paid`, or the code of the refusal. */
  readonly what: string;
  readonly orderId?: string;
  /** The facilitator had it by then. */
  readonly isHandedOver: boolean;
}

/** What is played with: Beckon, and those whom it deals with. */
export class Market {
  readonly clock = new TestClock();
  readonly processor = new FakeCardProcessor(this.clock);
  readonly chain = new MemoryChain(this.clock);
  readonly facilitator = new MemoryFacilitator(this.chain);
  readonly world: World;
  /** Who opened a payment page, by the order that it is for. */
  readonly openers = new Map<string, number>();
  /** The order that an idempotency key of a buyer answered, and since when. */
  readonly answered = new Map<string, { id: string; at: number }>();
  readonly payments: SignedPayment[] = [];
  /** Orders that a buyer was told of. */
  readonly promised = new Set<string>();
  /** What happens once while the next payment is with the facilitator. */
  meanwhile: (() => Promise<void>) | null = null;
  /** Somebody who sees the next payment at the facilitator is quicker than it. */
  frontRun = false;
  /** While a call waits, the chain does not grow. */
  isSlow = false;
  /** Blocks were undone, so that what stood once may stand no more. */
  hasReorganised = false;
  /** How many commits the laws were last proved after. */
  proved = -1;
  /** Lets the links of every submission be known apart. */
  serial = 0;
  readonly #settings: DirectSettings;
  readonly #wallets = Array.from({ length: BUYERS }, (_, number) => new MemoryWallet(`buyer ${number}`));

  /** What answers for the chain: the first is the chain's own. */
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

  /** The market has been there before: the checkpoint of the chain is known. */
  async open(): Promise<void> {
    await this.world.open();
    const { db } = this.world.process;
    await new Checkpoint({ db, chain: this.chain, terms: TERMS }).current();
  }

  /** What a pack costs on the chain. */
  requirements(pack: number): Requirements {
    return requirementsOf(TERMS, CHAIN.domain, PACKS[pack]!);
  }

  wallet(buyer: number): MemoryWallet {
    return this.#wallets[buyer]!;
  }

  /** Base units that buyers have paid us, as the chain stands. */
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
