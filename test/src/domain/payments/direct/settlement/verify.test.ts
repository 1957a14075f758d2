import { afterEach, describe, expect, test } from "vitest";
import type { Chain } from "../../../../../../src/domain/payments/direct/chain/chain.ts";
import { Checkpoint } from "../../../../../../src/domain/payments/direct/settlement/checkpoint.ts";
import type { Timeouts } from "../../../../../../src/domain/payments/direct/settlement/timeouts.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { MemoryWallet } from "../../../../../support/payments/memory-wallet.ts";

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
});

const credits = () => world.store.balance(account);

describe("402 payment_invalid, or 503 unavailable: nothing is submitted or stored", () => {
  afterEach(async () => {
    expect(world.facilitator.settled).toEqual([]);
    expect(await world.rows()).toEqual([]);
  });

  test("402 invalid_signature: by another key", async () => {
    const signed = world.sign();
    const { signature } = world.sign({}, new MemoryWallet("stranger")).payload;
    const payment = { ...signed, payload: { ...signed.payload, signature } };
    const bought = await world.buy(account, payment);
    expect(bought.outcome).toBe("invalid_signature");
    expect(bought.headers["PAYMENT-RESPONSE"]).toBeUndefined();
  });

  test("402 invalid_signature: by another key, while the payer uses the nonce up", async () => {
    const signed = world.sign();
    const { signature } = world.sign({}, new MemoryWallet("stranger")).payload;
    world.facilitator.verify = async () => {
      world.cancel(signed);
      return { isValid: false, reason: "invalid_signature" };
    };
    const payment = { ...signed, payload: { ...signed.payload, signature } };
    expect((await world.buy(account, payment)).outcome).toBe("invalid_signature");
  });

  test("402 insufficient_funds: the payer has less than the price", async () => {
    expect((await world.buy(account, world.sign({}, new MemoryWallet("poor")))).outcome).toBe("insufficient_funds");
  });

  test("503 unavailable: the facilitator does not answer", async () => {
    world.facilitator.isSilent = true;
    const { outcome, headers } = await world.buy(account, world.sign());
    expect([outcome, headers]).toEqual(["unavailable", { "Retry-After": "10" }]);
  });

  test("503 unavailable: the facilitator answers too late", async () => {
    const timeouts: Timeouts = { ...world.timeouts, within: async () => null };
    expect((await world.buy(account, world.sign(), { direct: world.start({ timeouts }) })).outcome).toBe("unavailable");
  });

  test.each<keyof Chain>(["latest", "authorizationState", "final"])(
    "503 unavailable: the chain does not answer the request for %s",
    async (asked) => {
      world.chain.before = (one) => {
        world.chain.isAway = one === asked;
      };
      expect((await world.buy(account, world.sign())).outcome).toBe("unavailable");
      expect(world.logged.error).toEqual([]);
    },
  );

  test("503 unavailable: the node belongs to another chain, which is logged", async () => {
    await new Checkpoint({ db: world.db, chain: world.chain, terms: world.terms }).current();
    world.chain.isOfAnotherChain = true;
    expect((await world.buy(account, world.sign())).outcome).toBe("unavailable");
    expect(world.logged.error).toEqual(["another chain"]);
  });

  test("500: an error on our side stores nothing either", async () => {
    world.facilitator.before = () => {
      throw new TypeError("ours");
    };
    await expect(world.buy(account, world.sign())).rejects.toThrow(TypeError);
  });
});

test("503 unavailable: the same payment is accepted once they answer", async () => {
  const signed = world.sign();
  world.facilitator.isSilent = true;
  await world.buy(account, signed);
  world.facilitator.isSilent = false;
  expect((await world.buy(account, signed)).outcome).toBe("paid");
});

describe("others who can bring a payment to the chain", () => {
  test("402 already_used: it was on the chain before it was presented; nobody is credited for it, now or later", async () => {
    const signed = world.sign();
    world.cancel(signed);
    expect((await world.buy(account, signed)).outcome).toBe("already_used");
    const direct = world.sign({ to: new MemoryWallet("elsewhere").address });
    world.submitAsThirdParty(direct);
    const stolen = world.sign({ nonce: direct.payload.authorization.nonce });
    expect((await world.buy(account, stolen)).outcome).toBe("already_used");
    await world.direct.reconcile();
    expect([await credits(), await world.rows()]).toEqual([0, []]);
  });

  test.each(["verify", "settle"] as const)(
    "a third party is quicker than the facilitator's %s: the payment is credited",
    async (moment) => {
      const signed = world.sign();
      world.facilitator.before = (asked) => {
        if (asked === moment) world.submitAsThirdParty(signed);
      };
      expect((await world.buy(account, signed)).outcome).toBe("paid");
      expect(await credits()).toBe(150);
      expect(world.facilitator.settled).toHaveLength(moment === "settle" ? 1 : 0);
    },
  );

  test("a third party is quicker, and our node lags behind the facilitator's: the payment is credited", async () => {
    const signed = world.sign();
    world.facilitator.before = () => {
      world.submitAsThirdParty(signed);
      world.chain.lag = 1;
    };
    expect((await world.buy(account, signed)).outcome).toBe("paid");
  });

  test("a third party is quicker, and the facilitator finds that the payer has no money: it is credited", async () => {
    const signed = world.sign();
    world.facilitator.verify = async () => {
      world.submitAsThirdParty(signed);
      return { isValid: false, reason: "insufficient_funds" };
    };
    expect((await world.buy(account, signed)).outcome).toBe("paid");
  });

  test.each(["verify", "settle"] as const)(
    "402 already_used: the payer cancels it before the facilitator's %s, and it is void",
    async (moment) => {
      const signed = world.sign();
      world.facilitator.before = (asked) => {
        if (asked === moment) world.cancel(signed);
      };
      expect((await world.buy(account, signed)).outcome).toBe("already_used");
      expect(await world.stateOf(signed)).toBe("void");
      expect((await world.buy(account, signed)).outcome).toBe("already_used");
      expect(world.facilitator.verified).toHaveLength(1);
    },
  );
});
