import { vi } from "vitest";
import { TIMEOUTS } from "../../src/domain/payments/direct/settlement/timeouts.ts";
import { before, cutAt, type Fault } from "./fault-proxy.ts";
import type { Shop } from "./shop.ts";

/** The moment at which a payment leaves the service, by either way in which it is settled. */
export interface HandOver {
  /** Nothing is handed over: the connection is cut before. */
  cut(): void;
  /** Does something before the next payment is handed over. */
  before(work: () => void): void;
  clear(): void;
  /** Whether the service hands a payment over again by itself. */
  readonly isRepeated: boolean;
  /** What the reconciler does, so many seconds later. */
  reconcileAfter(seconds: number): Promise<void>;
}

/** By the service at X402_FACILITATOR_URL. */
export function settlingBy(shop: Shop): HandOver {
  const set = (fault: Fault | null) => {
    shop.facilitator.fault = fault;
  };
  return {
    cut: () => set(cutAt("/settle")),
    before: (work) => set(before("/settle", async () => work())),
    clear: () => set(null),
    isRepeated: false,
    reconcileAfter: () => shop.reconcile(),
  };
}

/** How long a call waits for a transaction that its node may never show, in ms. */
const SHORT_SETTLE_MS = 1_500;
const { settleMs } = TIMEOUTS;

/** By the service itself, with X402_FACILITATOR_KEY: it sends transactions to the nodes. */
export function sendingBy(shop: Shop): HandOver {
  const isSending = (body: string) => body.includes('"eth_sendRawTransaction"');
  const set = (fault: Fault | null, ms: number) => {
    for (const node of shop.nodes) node.fault = fault;
    Object.assign(TIMEOUTS, { settleMs: ms });
  };
  return {
    cut: () => set(async ({ body, pass }) => (isSending(body) ? "cut" : pass()), settleMs),
    before: (work) =>
      set(async ({ body, pass }) => {
        if (isSending(body)) work();
        return pass();
      }, SHORT_SETTLE_MS),
    clear: () => set(null, SHORT_SETTLE_MS),
    isRepeated: true,
    async reconcileAfter(seconds) {
      Object.assign(TIMEOUTS, { settleMs });
      // The wallet goes by the time of the machine.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
      await shop.reconcile();
    },
  };
}
