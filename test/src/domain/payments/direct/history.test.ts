import fc from "fast-check";
import { expect, test } from "vitest";
import { MINUTE, SECOND } from "../../../../../src/platform/clock.ts";
import { fuzzRuns } from "../../../../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../../../../support/database/database.ts";
import { DirectWorld, type Signed } from "../../../../support/payments/direct-world.ts";
import { authorizationOf, type FacilitatorBehaviour } from "../../../../support/payments/memory-facilitator.ts";

const BEHAVIOURS: readonly FacilitatorBehaviour[] = [
  "honest",
  "loses answer",
  "unreachable",
  "false success",
  "false refusal",
  "refuses",
  "throws",
];

type Step =
  | { readonly step: "buy" | "die"; readonly by: number; readonly behaviour: FacilitatorBehaviour }
  | { readonly step: "again" | "bring"; readonly which: number; readonly by: number }
  | { readonly step: "reorganise"; readonly depth: number; readonly fate: "waits again" | "is lost" }
  | { readonly step: "pass"; readonly seconds: number }
  | { readonly step: "mine" | "reconcile" | "restart" | "away" | "back" | "slow" | "quick" }
  | { readonly step: "lag"; readonly blocks: number };

const by = fc.nat(1);
const STEPS = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ step: fc.constant("buy"), by, behaviour: fc.constantFrom(...BEHAVIOURS) }),
  fc.record({
    step: fc.constant("die"),
    by,
    behaviour: fc.constantFrom("hangs before submitting", "hangs after submitting"),
  }),
  fc.record({ step: fc.constantFrom("again", "bring"), which: fc.nat(9), by }),
  fc.record({
    step: fc.constant("reorganise"),
    depth: fc.integer({ min: 1, max: 2 }),
    fate: fc.constantFrom("waits again", "is lost"),
  }),
  fc.record({ step: fc.constant("pass"), seconds: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ step: fc.constantFrom("mine", "reconcile", "restart", "away", "back", "slow", "quick") }),
  fc.record({ step: fc.constant("lag"), blocks: fc.nat(2) }),
);

/** Two accounts, one wallet, and everything that goes wrong in between. */
class History {
  world!: DirectWorld;
  readonly #signed: Signed[] = [];
  #accounts: readonly string[] = [];

  async open(): Promise<void> {
    this.world = await DirectWorld.open();
    this.world.chain.finality = 3;
    this.#accounts = [await this.world.account(), await this.world.account()];
  }

  async take(step: Step): Promise<void> {
    const { chain, facilitator, clock, direct } = this.world;
    switch (step.step) {
      case "buy":
      case "die": {
        facilitator.behaviour = step.behaviour;
        const signed = this.world.sign();
        this.#signed.push(signed);
        const call = this.world.buy(this.#accounts[step.by]!, signed);
        await (step.step === "buy" ? call : this.#leave(call));
        facilitator.behaviour = "honest";
        return;
      }
      case "again":
      case "bring": {
        const signed = this.#signed[step.which];
        if (!signed) return;
        if (step.step === "again") await this.world.buy(this.#accounts[step.by]!, signed);
        // A stranger can know only what was handed over.
        else if (await this.world.rowOf(signed))
          chain.submit({ call: "transferWithAuthorization", authorization: authorizationOf(signed) });
        return;
      }
      case "reorganise":
        if (chain.height > step.depth) chain.reorganise(step.depth, step.fate);
        return;
      case "pass":
        return clock.pass(step.seconds * SECOND);
      case "lag":
        chain.lag = step.blocks;
        return;
      case "mine":
        return chain.mine();
      case "reconcile":
        return direct.reconcile();
      case "restart":
        return this.world.restart();
      case "away":
      case "back":
        chain.isAway = step.step === "away";
        return;
      case "slow":
      case "quick":
        chain.automine = step.step === "quick";
    }
  }

  /** Nothing goes wrong any more, and time has passed over everything. @returns what is wrong all the same */
  async end(): Promise<readonly string[]> {
    const { chain, clock } = this.world;
    Object.assign(chain, { isAway: false, lag: 0, automine: true });
    this.world.restart();
    for (let round = 0; round < 4; round++) {
      clock.pass(6 * MINUTE);
      chain.mine(4);
      await this.world.direct.reconcile();
    }
    const open = (await this.world.rows()).filter(
      ({ state }) => !["final", "expired", "void", "claimed"].includes(state),
    );
    return [...(await this.world.problems()), ...open.map(({ key, state }) => `${key} is ${state}`)];
  }

  /** The process that made the call is gone once it has handed over, or has ended before. */
  async #leave(call: Promise<unknown>): Promise<void> {
    const { settled } = this.world.facilitator;
    const before = settled.length;
    let hasEnded = false;
    void call.finally(() => {
      hasEnded = true;
    });
    while (!hasEnded && settled.length === before) await new Promise((resolve) => setImmediate(resolve));
  }
}

test("law: whatever fails in whatever order, each transfer on the chain is credited exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEPS, { minLength: 5, maxLength: 25 }), async (steps) => {
      const history = new History();
      await history.open();
      try {
        for (const step of steps) await history.take(step);
        expect(await history.end()).toEqual([]);
      } finally {
        await history.world.store.close();
      }
    }),
    { numRuns: fuzzRuns(isOnPostgres ? 8 : 25), seed: 1 },
  );
}, 900_000);
