import { and, eq, sum } from "drizzle-orm";
import fc from "fast-check";
import { bookSandboxOrder } from "../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { approvalsOf, decideApproval } from "../../src/domain/spending/approvals.ts";
import { setLimits } from "../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../src/domain/spending/limits.ts";
import { DAY, HOUR } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { withReusedDatabases } from "./reused-databases.ts";
import { Crash, type CrashPlan, World } from "./world.ts";

/** A call of an agent, or the decision of its person on one of the questions, or time that passes. */
type Step =
  | { kind: "call"; input: number; crash: CrashPlan | null }
  | { kind: "decide"; question: number; isApproved: boolean }
  | { kind: "wait"; hours: number };

/** What a call may cost without a yes. */
const APPROVE_ABOVE = 1;

/** Inputs of calls, by their numbers; each costs a credit for a URL, and needs a yes. */
const INPUTS = [2, 3, 4].map((urls, input) =>
  Array.from({ length: urls }, (_, index) => `https://example.com/${input}/${index}`),
);

const crash: fc.Arbitrary<CrashPlan | null> = fc.option(
  fc.record({ at: fc.constantFrom("before commit", "after commit"), after: fc.nat(3) }),
  { freq: 3 },
) as fc.Arbitrary<CrashPlan | null>;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("call" as const), input: fc.nat(2), crash }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("decide" as const),
      question: fc.nat(2),
      isApproved: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 30 }) }) },
);

/**
 * Runs random histories of calls that need a yes, with crashes.
 * @throws Error with the smallest history in which a call was made without a yes of its own, or refused though it has one
 */
export async function runApprovalModel(options: {
  histories: number;
  seed: number;
  shrink?: boolean;
}): Promise<number> {
  const { histories: numRuns, seed, shrink } = options;
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: "max" }), play);
  await withReusedDatabases(() => fc.assert(property, { numRuns, seed, endOnFailure: shrink === false }));
  return numRuns;
}

async function play(steps: readonly Step[]): Promise<void> {
  const world = new World();
  await world.open();
  try {
    const { accountId, credential } = world.callers[0]!;
    const key = { accountId, holder: credential.holder };
    await world.books.tx(async (tx) => {
      await bookSandboxOrder(tx, { accountId, pack: PACKS[0], credits: 10_000, now: world.clock.now() });
      await setLimits(tx, key, { ...NO_LIMITS, approveAbove: APPROVE_ABOVE });
    });
    /** By the number of its input: until when a call has a yes. */
    const yeses = new Map<number, number>();
    for (const one of steps) {
      if (one.kind === "wait") world.clock.pass(one.hours * HOUR);
      else if (one.kind === "decide") await decide(world, yeses, one);
      else await makeCall(world, yeses, one);
    }
  } finally {
    // Waits for a transaction that a crash has left behind.
    await world.books.tx(async () => undefined);
    await world.close();
  }
}

async function decide(world: World, yeses: Map<number, number>, step: Step & { kind: "decide" }): Promise<void> {
  const asked = await approvalsOf(world.books, world.accounts[0]!, 3);
  const approval = asked[step.question];
  if (!approval) return;
  const now = world.clock.now();
  const decision = { id: approval.id, isApproved: step.isApproved, now };
  const outcome = await world.books.tx((tx) => decideApproval(tx, world.accounts[0]!, decision));
  const input = INPUTS.findIndex((urls) => urls.length === approval.credits);
  if (outcome === "decided" && step.isApproved) yeses.set(input, now + DAY);
}

async function makeCall(
  world: World,
  yeses: Map<number, number>,
  { input, crash }: Step & { kind: "call" },
): Promise<void> {
  const before = await spentOf(world);
  world.crashPlan = crash && { ...crash };
  const code = await world.call("submit_urls", { urls: INPUTS[input]! }).then(() => null, codeOf);
  const spent = (await spentOf(world)) - before;
  const hasYes = (yeses.get(input) ?? 0) > world.clock.now();
  if (spent > 0 && !hasYes) throw new Error(`call ${input} spent ${spent} credits without a yes`);
  if (spent === 0 && code === null) throw new Error(`call ${input} was answered, and spent nothing`);
  if (code === "approval_required" && hasYes) throw new Error(`call ${input} was refused, and it had a yes`);
  if (spent > 0) yeses.delete(input);
  if (world.isDead) world.restart();
  world.crashPlan = null;
}

/** The code of an expected refusal, or of a crash. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof Crash) return "crash";
  if (thrown instanceof Refusal && thrown.code === "approval_required") return thrown.code;
  throw thrown;
}

async function spentOf({ books, accounts }: World): Promise<number> {
  const { ledger } = books.t;
  const isSpend = and(eq(ledger.accountId, accounts[0]!), eq(ledger.kind, "spend"));
  const [row] = await books.q
    .select({ credits: sum(ledger.credits).mapWith(Number) })
    .from(ledger)
    .where(isSpend);
  return -(row!.credits ?? 0);
}
