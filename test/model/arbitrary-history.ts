import fc from "fast-check";
import type { ChainEvent, Command, Flaw, History, Meanwhile, NodeCondition, Service, Step } from "./commands.ts";
import type { CardActs } from "./fake-card-processor.ts";
import { FINALITY } from "./market.ts";
import type { CrashPlan, CrashPoint } from "./world.ts";

/** A value in one of `times` cases; null in the others. */
function rarely<T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

function weighted<T>(choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

const kind = <K extends Command["kind"]>(name: K) => fc.constant(name);
const two = fc.integer({ min: 1, max: 2 });
const buyer = fc.constantFrom(0, 0, 1, 2);
const acts: fc.Arbitrary<CardActs> = fc.record({
  open: fc.constantFrom("pay", "pay", "decline", "pay later"),
  awaited: fc.constantFrom("arrive", "arrive", "bounce"),
  paid: fc.oneof(
    fc.constantFrom("dispute" as const, "win" as const, "win" as const, "lose" as const),
    fc.constantFrom(1, 333, 500, 999, 20_000).map((refund) => ({ refund })),
  ),
});
const flaw = rarely(10, fc.constantFrom<Flaw>("signature", "value", "recipient", "expired", "long", "no funds"));
const facilitator = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Service>("honest") },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Service>(
      "loses answer",
      "unreachable",
      "false success",
      "false refusal",
      "refuses",
      "late",
      "silent",
      "throws",
    ),
  },
);
const meanwhile = rarely(
  3,
  fc.constantFrom<Meanwhile>(
    ...(["reconcile", "rush", "rival", "reorganise", "nap", "front-run"] as const),
    ...(["away", "behind", "late logs", "another chain"] as const),
  ),
);
const reorganise = fc.record({
  reorganise: fc.integer({ min: 1, max: FINALITY }),
  fate: fc.constantFrom("waits again" as const, "is lost" as const),
});
const condition = fc.constantFrom<NodeCondition>("healthy", "healthy", "away", "behind", "late logs", "another chain");
const nodeEvent = fc.record({ node: fc.nat(2), condition });
const event: fc.Arbitrary<ChainEvent> = fc.oneof(
  { weight: 1, arbitrary: fc.constant("mine" as const) },
  { weight: 3, arbitrary: nodeEvent },
  { weight: 2, arbitrary: reorganise },
);

const opening = fc.record({ kind: kind("open"), buyer, pack: fc.nat(1), key: rarely(3, fc.nat(1)) });
const cardCommand = weighted<Command>([
  [3, opening],
  [14, fc.record({ kind: kind("card"), page: fc.nat(2), acts })],
  [
    8,
    fc.record({
      kind: kind("deliver"),
      pendingEvents: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
      copies: two,
    }),
  ],
  [1, fc.record({ kind: kind("lose"), event: fc.nat(4) })],
  [1, fc.record({ kind: kind("processor"), isAway: fc.boolean() })],
]);

const paying = fc.record({ kind: kind("pay"), buyer, pack: fc.nat(1), flaw, facilitator, meanwhile });
const repeating = fc.record({
  kind: kind("again"),
  payment: fc.nat(2),
  buyer,
  isOtherPack: rarely(6, fc.constant(true)).map((is) => is ?? false),
  copies: fc.integer({ min: 1, max: 3 }),
  facilitator,
});
const chainCommand = weighted<Command>([
  [6, paying],
  [6, repeating],
  [4, fc.record({ kind: kind("chain"), event })],
  [2, fc.record({ kind: kind("third party"), payment: fc.nat(2), act: fc.constantFrom("rush", "rush", "cancel") })],
]);

const rest = weighted<Command>([
  [6, fc.record({ kind: kind("reconcile") })],
  [4, fc.record({ kind: kind("wait"), minutes: fc.constantFrom(1, 3, 6, 20, 90, 26 * 60), condition })],
  [8, fc.record({ kind: kind("spend"), buyer, links: fc.constantFrom(1, 100, 150) })],
  [2, fc.record({ kind: kind("work") })],
]);

const CRASH_POINTS: readonly CrashPoint[] = [
  "before commit",
  "after commit",
  "before settle",
  "after settle",
  "after look",
];

const crash = rarely(4, fc.record({ at: fc.constantFrom(...CRASH_POINTS), after: fc.nat(3) }));

/** Card commands call neither a chain nor a facilitator, so that a process can crash only at a commit. */
function withinReach({ kind: what }: Command, { at, after }: CrashPlan): CrashPlan {
  const isCardCommand = what === "open" || what === "card" || what === "deliver";
  const isAtCommit = at === "before commit" || at === "after commit";
  return { at: isCardCommand && !isAtCommit ? "before commit" : at, after };
}

/** Commands with one payment method or both. The first is a purchase, since most commands need one. */
const steps: fc.Arbitrary<Step[]> = fc
  .constantFrom<[card: number, direct: number]>([1, 0], [0, 1], [1, 1])
  .chain(([card, direct]) => {
    const command = weighted<Command>([
      [5 * card, cardCommand],
      [5 * direct, chainCommand],
      [2, rest],
    ]);
    const first = weighted<Command>([
      [card, opening],
      [direct, paying],
    ]);
    const step = (one: fc.Arbitrary<Command>) =>
      fc.tuple(one, crash).map(([what, crashPlan]) => ({ ...what, crash: crashPlan && withinReach(what, crashPlan) }));
    const others = fc.array(step(command), { minLength: 4, maxLength: 14, size: "max" });
    return fc.tuple(step(first), others).map(([one, more]) => [one, ...more]);
  });

export const history: fc.Arbitrary<History> = fc.record({
  confirmations: fc.constantFrom(1, 1, 2),
  nodes: fc.constantFrom(1, 1, 3),
  steps,
});
