import { describe, expect, test } from "vitest";
import type { Engine } from "../../../../../db/engine.ts";
import { MINUTE } from "../../../../../src/platform/clock.ts";
import type { DirectWorld, Signed } from "../../../../support/payments/direct-world.ts";
import { eachDirectWorld } from "../../../../support/payments/each-direct-world.ts";

/** What never ends: the process has died there. */
type Grave = () => Promise<never>;

interface Death {
  /** Makes the next call die. */
  readonly arrange: (world: DirectWorld, death: Grave) => void;
  /** Whether the payment is on its way to the chain, or there. */
  readonly isHandedOver: boolean;
  /** State that it leaves. */
  readonly leaves: string;
}

const diesAt =
  (asked: "latest" | "authorizationState", when: (world: DirectWorld) => boolean): Death["arrange"] =>
  (world, death) => {
    world.chain.before = (one) => (one === asked && when(world) ? death() : undefined);
  };
const diesAsked =
  (what: "verify" | "settle"): Death["arrange"] =>
  ({ facilitator }, death) => {
    facilitator.before = (asked) => (asked === what ? death() : undefined);
  };
const before = ({ facilitator }: DirectWorld) => facilitator.settled.length === 0;
const after = ({ facilitator }: DirectWorld) => facilitator.settled.length > 0;

const DEATHS: Readonly<Record<string, Death>> = {
  "after the claim": { arrange: diesAt("latest", before), isHandedOver: false, leaves: "claimed" },
  "after the chain was asked for the height": {
    arrange: diesAt("authorizationState", before),
    isHandedOver: false,
    leaves: "claimed",
  },
  "while it is verified": {
    arrange: diesAsked("verify"),
    isHandedOver: false,
    leaves: "claimed",
  },
  "after the journal, before it is handed over": {
    arrange: diesAsked("settle"),
    isHandedOver: false,
    leaves: "submitted",
  },
  "handed over, and in no block yet": {
    arrange: ({ facilitator, chain }, death) => {
      facilitator.handedOver = death;
      chain.automine = false;
    },
    isHandedOver: true,
    leaves: "submitted",
  },
  "handed over, and in a block": {
    arrange: ({ facilitator }, death) => {
      facilitator.handedOver = death;
    },
    isHandedOver: true,
    leaves: "submitted",
  },
  "before it looks at the chain": { arrange: diesAt("latest", after), isHandedOver: true, leaves: "submitted" },
  "while it looks for the transfer": {
    arrange: diesAt("authorizationState", after),
    isHandedOver: true,
    leaves: "submitted",
  },
};

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
});

/** Begins a call that never comes back, and goes on as the next process. */
async function die({ arrange, leaves }: Death): Promise<Signed> {
  const signed = world.sign();
  const died = new Promise<"died">((resolve) => {
    arrange(world, () => {
      resolve("died");
      return new Promise(() => undefined);
    });
  });
  expect(await Promise.race([died, world.buy(account, signed)])).toBe("died");
  expect(await world.stateOf(signed)).toBe(leaves);
  world.restart();
  return signed;
}

describe.each(Object.entries(DEATHS))("a process dies %s", (_, dead) => {
  test("409 idempotency_in_flight, never a 402: the same call repeated at once", async () => {
    const signed = await die(dead);
    const { outcome, headers } = await world.buy(account, signed);
    expect([outcome, headers]).toEqual(["idempotency_in_flight", { "Retry-After": "2" }]);
    world.chain.mine();
    world.clock.pass(3 * MINUTE);
    expect((await world.buy(account, signed)).outcome).toBe("paid");
  });

  test("200: the same call after the end of the lease pays once", async () => {
    const signed = await die(dead);
    world.clock.pass(3 * MINUTE);
    const { outcome, order } = await world.buy(account, signed);
    expect([outcome, await world.store.balance(account)]).toEqual(["paid", 150]);
    expect(world.received).toBe(9_990_000n);
    expect(await world.buy(account, signed)).toMatchObject({ isReplay: true, order });
  });

  test("the reconciler credits what was paid, once, and ends what was not", async () => {
    const signed = await die(dead);
    world.chain.mine();
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe(dead.leaves);
    world.clock.pass(3 * MINUTE);
    world.chain.mine();
    await world.direct.reconcile();
    await world.direct.reconcile();
    expect(await world.store.balance(account)).toBe(dead.isHandedOver ? 150 : 0);
    world.clock.pass(4 * MINUTE);
    world.chain.mine();
    await world.direct.reconcile();
    const ended = dead.leaves === "claimed" ? "claimed" : dead.isHandedOver ? "credited" : "expired";
    expect(await world.stateOf(signed)).toBe(ended);
    world.clock.pass(24 * 60 * MINUTE);
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe(dead.leaves === "claimed" ? null : ended);
  });

  test("the reconciler and the same call at the same time pay once", async () => {
    const signed = await die(dead);
    world.clock.pass(3 * MINUTE);
    const other = world.start();
    const [bought] = await Promise.all([
      world.buy(account, signed),
      world.direct.reconcile(),
      other.reconcile(),
      world.buy(account, signed, { direct: other }),
    ]);
    if (bought.outcome !== "paid") expect(bought.outcome).toBe("idempotency_in_flight");
    world.clock.pass(MINUTE);
    expect((await world.buy(account, signed)).outcome).toBe("paid");
    expect(await world.store.balance(account)).toBe(150);
  });
});

describe("a process dies after it saw the transfer and before the credits", () => {
  test.each(["call", "reconciler"] as const)("the %s gives the credits", async (who) => {
    const signed = world.sign();
    const payment = { scheme: "x402", text: Buffer.from(JSON.stringify(signed)).toString("base64") } as const;
    await world.direct.settle({ accountId: account, credential: "key_1", pack: world.pack, payment });
    expect(await world.rowOf(signed)).toMatchObject({ state: "submitted", owner: null, orderId: null });
    expect(await world.store.balance(account)).toBe(0);
    world.restart();
    if (who === "reconciler") await world.direct.reconcile();
    else expect((await world.buy(account, signed)).outcome).toBe("paid");
    expect(await world.store.balance(account)).toBe(150);
  });

  test("after the credits were given the same call returns the same order", async () => {
    const signed = world.sign();
    const { order } = await world.buy(account, signed);
    world.restart();
    await world.direct.reconcile();
    expect(await world.buy(account, signed)).toMatchObject({ isReplay: true, order });
  });
});

const WRITES = ["secret", "count", "claim", "checkpoint", "journal", "lease", "finding", "count given back"];

test.each(WRITES.map((name, n) => [name, n] as const))(
  "if the %s cannot be written, as on a full disk, nothing is lost",
  async (_, n) => {
    const signed = world.sign();
    let begun = 0;
    const db: Engine = {
      ...world.db,
      tx: (work) => (begun++ === n ? Promise.reject(new Error("disk full")) : world.db.tx(work)),
    };
    await expect(world.buy(account, signed, { direct: world.start({ db }) })).rejects.toThrow("disk full");
    expect((await world.buy(account, signed)).outcome).toBe("paid");
    expect(await world.store.balance(account)).toBe(150);
  },
);
