import { randomUUID } from "node:crypto";
import type { Engine } from "../../../db/engine.ts";
import { accountById, createAccount } from "../../../src/domain/accounts/accounts.ts";
import type { Chain } from "../../../src/domain/payments/direct/chain/chain.ts";
import { type DirectPaymentRow, paymentOf } from "../../../src/domain/payments/direct/journal/journal.ts";
import { keyOf } from "../../../src/domain/payments/direct/protocol/parsed-payment.ts";
import { requirementsOf, type Terms, termsOf } from "../../../src/domain/payments/direct/protocol/terms.ts";
import type { Requirements } from "../../../src/domain/payments/direct/protocol/x402.ts";
import { TIMEOUTS, type Timeouts } from "../../../src/domain/payments/direct/settlement/timeouts.ts";
import { X402Payments } from "../../../src/domain/payments/direct/x402-payments.ts";
import type { OrderRow } from "../../../src/domain/payments/orders/orders.ts";
import { PACKS, type Pack } from "../../../src/domain/payments/orders/packs.ts";
import type { PresentedPayment } from "../../../src/domain/payments/orders/presented-payment.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { type TestStore, testStore } from "../database/store.ts";
import { MemoryChain } from "./memory-chain.ts";
import { authorizationOf, MemoryFacilitator } from "./memory-facilitator.ts";
import { CHAIN } from "./memory-token.ts";
import { asHeader, MemoryWallet, type SignedFields } from "./memory-wallet.ts";

export const DIRECT = {
  X402_NETWORK: CHAIN.network,
  X402_ASSET: CHAIN.asset,
  X402_PAY_TO: CHAIN.payTo,
  X402_RPC_URL: "http://127.0.0.1:1",
  X402_FACILITATOR_URL: "http://127.0.0.1:1",
};

export type Signed = ReturnType<MemoryWallet["pay"]>;

/** The result of a call of pay_direct. */
export interface PurchaseResult {
  readonly order: OrderRow | null;
  readonly isReplay: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** `paid`, the code of the refusal, or the reason of a payment that is not accepted. */
  readonly outcome: string;
  readonly refusal: Refusal | null;
}

/** What a process uses in place of the world's own. */
interface ProcessOverrides {
  readonly db?: Engine;
  readonly chain?: Chain;
  readonly timeouts?: Timeouts;
  readonly confirmations?: number;
  readonly network?: string;
  readonly payTo?: string;
}

/** Direct payments over a chain in memory and a temporary database, without any surface. */
export class DirectWorld {
  readonly store: TestStore;
  readonly db: Engine;
  readonly clock: TestStore["clock"];
  readonly chain: MemoryChain;
  readonly facilitator: MemoryFacilitator;
  readonly wallet = new MemoryWallet("buyer");
  readonly config = readConfig({ SITE_URL: "http://beckon.test:8080", ...DIRECT });
  readonly terms: Terms = termsOf(this.config.direct!, this.config.siteUrl);
  readonly pack: Pack = PACKS[0];
  readonly requirements: Requirements = requirementsOf(this.terms, CHAIN.domain, this.pack);
  /** Messages that were logged, by severity. */
  readonly logged = { info: [] as string[], warn: [] as string[], error: [] as string[] };
  /** Waiting takes no time: the chain mines a block instead. Nothing times out. */
  readonly timeouts: Timeouts = {
    ...TIMEOUTS,
    sleep: async () => this.chain.mine(),
    within: (work) => work,
  };
  direct: X402Payments;

  static async open(): Promise<DirectWorld> {
    return new DirectWorld(await testStore());
  }

  private constructor(store: TestStore) {
    this.store = store;
    this.db = store.db;
    this.clock = store.clock;
    this.chain = new MemoryChain(this.clock);
    this.chain.fund(this.wallet.address, 1_000_000_000n);
    this.facilitator = new MemoryFacilitator(this.chain);
    this.direct = this.start();
  }

  /** Starts another process over the same database. */
  start(more: ProcessOverrides = {}): X402Payments {
    const { db = this.db, chain = this.chain, timeouts = this.timeouts, ...settings } = more;
    const say = (severity: keyof DirectWorld["logged"]) => (_: object, message: string) =>
      void this.logged[severity].push(message);
    const log = { info: say("info"), warn: say("warn"), error: say("error") };
    const { clock, config, facilitator } = this;
    const parts = { db, clock, config, log, chain, facilitator, timeouts };
    return new X402Payments({
      ...parts,
      settings: { ...config.direct!, ...settings },
      domain: async () => CHAIN.domain,
    });
  }

  /** Replaces a crashed process: its calls never return, and its leases are not released. */
  restart(): void {
    this.facilitator.behaviour = "honest";
    this.facilitator.before = () => undefined;
    this.facilitator.handedOver = () => undefined;
    this.chain.before = () => undefined;
    this.direct = this.start();
  }

  /** Creates an account without orders. @returns its id */
  async account(): Promise<string> {
    const email = `${randomUUID()}@example.com`;
    return (await this.db.tx((tx) => createAccount(tx, { email, now: this.clock.now() }))).id;
  }

  sign(fields: Partial<SignedFields> = {}, wallet = this.wallet): Signed {
    return wallet.pay(this.requirements, this.clock.now(), fields);
  }

  /** Pays as a call of pay_direct does. */
  async buy(
    accountId: string,
    payment: unknown,
    { pack = this.pack, direct = this.direct } = {},
  ): Promise<PurchaseResult> {
    const presented = isPresented(payment) ? payment : ({ scheme: "x402", text: asHeader(payment) } as const);
    try {
      const { headers, isReplay, key } = await direct.settle({
        accountId,
        credential: "key_1",
        pack,
        payment: presented,
      });
      const { order } = await this.db.tx((tx) => direct.credit(tx, { headers, isReplay, key }));
      return { order, isReplay, headers, outcome: "paid", refusal: null };
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const outcome = String(thrown.fields.reason ?? thrown.code);
      return { order: null, isReplay: false, headers: thrown.headers, outcome, refusal: thrown };
    }
  }

  /** Submits a payment to the chain as a third party. @returns the transaction */
  submitAsThirdParty(signed: Signed): string {
    return this.chain.submit({ call: "transferWithAuthorization", authorization: authorizationOf(signed) });
  }

  /** Cancels the authorization of a payment, as its payer. @returns the transaction */
  cancel(signed: Signed): string {
    const { from, nonce } = authorizationOf(signed);
    return this.chain.submit({ call: "cancelAuthorization", from, nonce });
  }

  keyOf({ payload }: Signed): string {
    return keyOf(this.terms, payload.authorization);
  }

  async rowOf(signed: Signed): Promise<DirectPaymentRow | null> {
    return paymentOf(this.db, this.keyOf(signed));
  }

  /** A call that has claimed a payment, and dies when it asks the facilitator. */
  dieWhenAsking(account: string, signed: Signed): Promise<void> {
    return new Promise((asked) => {
      this.facilitator.before = () => {
        asked();
        return new Promise(() => undefined);
      };
      void this.buy(account, signed);
    });
  }

  async stateOf(signed: Signed): Promise<string | null> {
    return (await this.rowOf(signed))?.state ?? null;
  }

  rows(): Promise<DirectPaymentRow[]> {
    return this.db.q.select().from(this.db.t.directPayments);
  }

  /** Problems that the audit finds, and payments on the chain that were not credited exactly once. */
  async problems(): Promise<readonly string[]> {
    const rows = await this.rows();
    const sold = rows.filter(({ state }) => state === "credited" || state === "final");
    const units = sold.reduce((total, { amount }) => total + BigInt(amount), 0n);
    const problems = [...(await this.store.problems())];
    if (units !== this.received) problems.push(`${this.received} were received and ${units} credited`);
    for (const accountId of new Set(rows.map((row) => row.accountId))) {
      const credits = sold.filter((row) => row.accountId === accountId).reduce((total, row) => total + row.credits, 0);
      const booked = (await this.store.ledger(accountId)).filter(
        ([kind]) => kind === "purchase" || kind === "adjustment",
      );
      const given = booked.reduce((total, [, signed]) => total + signed, 0);
      const { deletedAt } = await accountById(this.db, accountId);
      const due = deletedAt === null ? credits : 0;
      if (given !== due) problems.push(`${accountId} was given ${given} credits and has paid for ${due}`);
    }
    return problems;
  }

  /** Amount that the buyers have paid us on the chain, in base units. */
  get received(): bigint {
    return this.chain.balanceOf(CHAIN.payTo.toLowerCase());
  }
}

function isPresented(payment: unknown): payment is PresentedPayment {
  return typeof payment === "object" && payment !== null && "scheme" in payment && "text" in payment;
}
