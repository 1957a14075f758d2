import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { takeLease } from "../../../../../../src/domain/payments/direct/journal/lease.ts";
import { DAY, MINUTE } from "../../../../../../src/platform/clock.ts";
import type { Signed } from "../../../../../support/payments/direct-world.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { authorizationOf, type FacilitatorBehaviour } from "../../../../../support/payments/memory-facilitator.ts";
import { nodeOf } from "../../../../../support/payments/memory-node.ts";

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
});

/** A payment that a call has left in the given manner. */
async function left(behaviour: FacilitatorBehaviour, fields = {}): Promise<Signed> {
  world.facilitator.behaviour = behaviour;
  const signed = world.sign(fields);
  await world.buy(account, signed);
  return signed;
}

/** Lets time pass on the chain too. */
function pass(ms: number): void {
  world.clock.pass(ms);
  world.chain.mine();
}

describe("a submitted payment", () => {
  test.each<[FacilitatorBehaviour, string]>([
    ["unreachable", "submitted"],
    ["refuses", "refused"],
  ])("%s: it is credited if it lands after all, whoever brought it", async (behaviour, state) => {
    const signed = await left(behaviour);
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe(state);
    world.submitAsThirdParty(signed);
    await world.direct.reconcile();
    await world.direct.reconcile();
    expect([await world.stateOf(signed), await world.store.balance(account)]).toEqual(["credited", 150]);
    expect(world.logged.info).toEqual(["a direct payment was credited that no call had seen the end of"]);
    expect(await world.buy(account, signed)).toMatchObject({ outcome: "paid", isReplay: true });
  });

  test.each<FacilitatorBehaviour>(["unreachable", "refuses"])(
    "%s: it expires 60 seconds after the end of its validity, by the time of the chain",
    async (behaviour) => {
      const signed = await left(behaviour);
      const states = [];
      for (const ms of [5 * MINUTE, MINUTE, 1000]) {
        world.clock.pass(ms);
        await world.direct.reconcile();
        states.push(await world.stateOf(signed));
        world.chain.mine();
        await world.direct.reconcile();
        states.push(await world.stateOf(signed));
      }
      const state = behaviour === "unreachable" ? "submitted" : "refused";
      expect(states).toEqual([state, state, state, state, state, "expired"]);
    },
  );

  test("it is void if it was cancelled or paid somebody else, and is checked once more when that is final", async () => {
    world.chain.finality = 2;
    const signed = await left("unreachable");
    world.cancel(signed);
    await world.direct.reconcile();
    expect(await world.rowOf(signed)).toMatchObject({ state: "void", block: world.chain.height, hash: null });
    world.chain.mine(2);
    await world.direct.reconcile();
    expect(await world.rowOf(signed)).toMatchObject({ state: "void", block: null });
    world.chain.before = () => {
      throw new Error("asked");
    };
    await world.direct.reconcile();
  });

  test("it has expired, and is checked once more when that is final, and again while its logs are missing", async () => {
    world.chain.finality = 2;
    const signed = await left("unreachable");
    pass(7 * MINUTE);
    await world.direct.reconcile();
    const ended = { state: "expired", block: world.chain.height };
    world.chain.mine(2);
    const late = nodeOf(world.chain, { authorizationState: async () => ({ isUsed: true, use: null }) });
    await world.start({ chain: late }).reconcile();
    expect(await world.rowOf(signed)).toMatchObject(ended);
    await world.direct.reconcile();
    expect(await world.rowOf(signed)).toMatchObject({ state: "expired", block: null });
    expect(world.logged.error).toEqual([]);
  });

  test.each(["is cancelled", "expires"])(
    "it %s, a reorganisation brings its transfer, and it is credited without another call",
    async (what) => {
      world.chain.finality = 2;
      const signed = await left("unreachable");
      if (what === "is cancelled") world.cancel(signed);
      else pass(7 * MINUTE);
      await world.direct.reconcile();
      expect(await world.stateOf(signed)).toBe(what === "expires" ? "expired" : "void");
      const ago = what === "expires" ? 7 * MINUTE : 0;
      world.clock.pass(-ago);
      world.chain.reorganise(1, "is lost");
      world.submitAsThirdParty(signed);
      world.clock.pass(ago);
      world.chain.mine(2);
      await world.direct.reconcile();
      expect([await world.stateOf(signed), await world.store.balance(account)]).toEqual(["credited", 150]);
    },
  );

  test("it is credited only when its block is deep enough", async () => {
    const signed = await left("unreachable");
    const direct = world.start({ confirmations: 3 });
    world.submitAsThirdParty(signed);
    for (const expected of ["submitted", "submitted", "credited"]) {
      await direct.reconcile();
      expect(await world.stateOf(signed)).toBe(expected);
      world.chain.mine();
    }
  });

  test("a payment that another caller holds is left alone until the lease ends", async () => {
    const signed = await left("unreachable");
    world.submitAsThirdParty(signed);
    await takeLease(world.db, world.keyOf(signed), ["submitted"], world.clock.now());
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe("submitted");
    world.clock.pass(2 * MINUTE);
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe("credited");
  });

  test("payments of another chain or token are left alone", async () => {
    const signed = await left("unreachable");
    world.submitAsThirdParty(signed);
    world.clock.pass(DAY);
    await world.start({ network: "eip155:84532" }).reconcile();
    expect(await world.stateOf(signed)).toBe("submitted");
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe("credited");
  });

  test("simultaneous rounds of two processes credit once", async () => {
    const all = [await left("unreachable"), await left("unreachable"), await left("unreachable")];
    for (const signed of all) world.submitAsThirdParty(signed);
    const other = world.start();
    await Promise.all([world.direct.reconcile(), other.reconcile(), world.direct.reconcile()]);
    await world.direct.reconcile();
    expect(await world.store.balance(account)).toBe(450);
    expect(await world.store.ledger(account)).toHaveLength(3);
  });
});

describe("a round continues", () => {
  test("if the chain does not answer, everything is kept, and this is logged once", async () => {
    const all = [];
    for (let i = 0; i < 5; i++) all.push(await left("unreachable"));
    for (const signed of all) world.submitAsThirdParty(signed);
    let chainCalls = 0;
    world.chain.before = (what) => {
      world.chain.isAway = what === "authorizationState";
      if (world.chain.isAway) chainCalls += 1;
    };
    await world.direct.reconcile();
    expect(world.logged).toEqual({
      info: [],
      error: [],
      warn: ["direct payments wait for the chain. away"],
    });
    expect(chainCalls).toBe(3);
    expect((await world.rows()).map(({ state, owner }) => [state, owner])).toEqual(Array(5).fill(["submitted", null]));
    world.chain.before = () => undefined;
    world.chain.isAway = false;
    await world.direct.reconcile();
    expect(await world.store.balance(account)).toBe(750);
  });

  test("if one payment always fails, the others are still checked", async () => {
    const [bad, good] = [await left("unreachable"), await left("unreachable")];
    world.submitAsThirdParty(good);
    const { chain } = world;
    const odd = nodeOf(chain, {
      authorizationState: (search) => {
        if (search.authorization.nonce === authorizationOf(bad).nonce) throw new TypeError("odd");
        return chain.authorizationState(search);
      },
    });
    const direct = world.start({ chain: odd });
    await direct.reconcile();
    await direct.reconcile();
    expect([await world.stateOf(bad), await world.stateOf(good)]).toEqual(["submitted", "credited"]);
    expect(world.logged.error).toEqual(Array(2).fill("a direct payment cannot be looked at"));
    await world.direct.reconcile();
  });

  test("if there are more payments than one batch holds, those that were checked longest ago come first", async () => {
    const first = await left("unreachable");
    const row = (await world.rowOf(first))!;
    const { directPayments } = world.db.t;
    const many = Array.from({ length: 450 }, (_, i) => {
      const nonce = `0x${String(i).padStart(64, "0")}`;
      return { ...row, key: row.key.replace(row.nonce, nonce), nonce, lockedUntil: world.clock.now() - 1 };
    });
    await world.db.tx((tx) => tx.q.insert(directPayments).values(many).returning());
    const seen: string[] = [];
    const { chain } = world;
    const direct = world.start({
      chain: nodeOf(chain, {
        authorizationState: async ({ authorization }) => {
          seen.push(authorization.nonce);
          return { isUsed: false, use: null };
        },
      }),
    });
    world.clock.pass(1);
    await direct.reconcile();
    expect([seen.length, new Set(seen).size, seen.indexOf(row.nonce)]).toEqual([451, 451, 450]);
    pass(7 * MINUTE);
    await direct.reconcile();
    const open = await world.db.q.select().from(directPayments).where(eq(directPayments.state, "submitted"));
    expect(open).toEqual([]);
  });

  test("if no payment is open, the chain is not called", async () => {
    world.chain.before = () => {
      throw new Error("asked");
    };
    await world.direct.reconcile();
  });

  test("claims of calls that never ended are deleted after a day", async () => {
    const signed = world.sign();
    await world.dieWhenAsking(account, signed);
    world.clock.pass(DAY);
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe("claimed");
    world.clock.pass(1);
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBeNull();
  });
});

test("law: a payment that lands after its account was deleted is booked, gives nothing to spend, and is an error in the log", async () => {
  const signed = await left("unreachable");
  const { accounts } = world.db.t;
  const set = { email: `deleted ${account}`, deletedAt: world.clock.now() };
  await world.db.tx((tx) => tx.q.update(accounts).set(set).where(eq(accounts.id, account)));
  world.submitAsThirdParty(signed);
  await world.direct.reconcile();
  expect(await world.stateOf(signed)).toBe("credited");
  expect(await world.store.ledger(account)).toEqual([
    ["purchase", 150],
    ["adjustment", -150],
  ]);
  expect(world.logged.error).toEqual(["money has moved for a deleted account; decide whether to give it back"]);
  expect(await world.store.problems()).toEqual([]);
});
