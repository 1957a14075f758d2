import fc from "fast-check";
import { audit } from "../../src/domain/audit/audit.ts";
import { costOf } from "../../src/domain/ledger/costs.ts";
import { bookSandboxOrder } from "../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { FATES } from "../../src/indexing/engines/sandbox/fate.ts";
import { DAY, HOUR } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { ModelBudget } from "./budget.ts";
import { withReusedDatabases } from "./reused-databases.ts";
import { proveSkipped } from "./skipped.ts";
import { Crash, type CrashPlan, World } from "./world.ts";

type Command =
  | { kind: "buy"; pack: number }
  | {
      kind: "submit";
      links: number;
      mode: "standard" | "instant";
      drip: 0 | 3 | 7;
      key: number | null;
      fates: number;
      skips: boolean;
    }
  | { kind: "check"; links: number; key: number | null }
  | { kind: "cancel"; project: number; some: number | null }
  | { kind: "tick"; hours: number | null; pause: boolean }
  | { kind: "limit"; total: number | null; perDay: number | null }
  | { kind: "fault"; fault: "timeout" | "rate_limit" | "quota" | "server_error" | "outage" | null };

type Step = Command & { crash: CrashPlan | null };

/** What a limit leaves of a budget, in credits; null: there is none. */
const left = fc.option(fc.nat(40), { freq: 2 });
const key = fc.option(fc.nat(5), { freq: 2 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("buy" as const), pack: fc.nat(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("submit" as const),
      links: fc.integer({ min: 1, max: 40 }),
      mode: fc.constantFrom("standard" as const, "instant" as const),
      drip: fc.constantFrom(0 as const, 0 as const, 3 as const, 7 as const),
      key,
      fates: fc.nat(1000),
      skips: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("check" as const), links: fc.integer({ min: 1, max: 40 }), key }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("cancel" as const), project: fc.nat(9), some: fc.option(fc.nat(5)) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("tick" as const),
      hours: fc.option(fc.integer({ min: 1, max: 100 })),
      pause: fc.integer({ min: 0, max: 4 }).map((n) => n === 4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      fault: fc.constantFrom(null, null, "timeout", "rate_limit", "quota", "server_error", "outage"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("limit" as const), total: left, perDay: left }) },
) as fc.Arbitrary<Command>;

const crash: fc.Arbitrary<CrashPlan | null> = fc.option(
  fc.record({ at: fc.constantFrom("before commit", "after commit", "after send"), after: fc.nat(6) }),
  { freq: 4 },
) as fc.Arbitrary<CrashPlan | null>;

const steps = fc.array(fc.tuple(command, crash), { minLength: 25, maxLength: 60, size: "max" });

/**
 * Runs random commands with crashes against a whole Beckon, and checks the laws after each one.
 * @returns how many commands were run
 * @throws Error with the smallest sequence that breaks a law
 */
export async function runModel(options: { commands: number; seed: number; shrink?: boolean }): Promise<number> {
  let played = 0;
  const numRuns = Math.ceil(options.commands / 40);
  const property = fc.asyncProperty(steps, async (list) => {
    // Finishing all projects takes half the time of a run, so only one run in four does it.
    const toTheEnd = list.length % 4 === 0;
    played += await play(
      list.map(([one, crashPlan]) => ({ ...one, crash: crashPlan })),
      toTheEnd,
    );
  });
  const { seed, shrink } = options;
  await withReusedDatabases(() => fc.assert(property, { numRuns, seed, endOnFailure: shrink === false }));
  return played;
}

async function play(list: readonly Step[], toTheEnd: boolean): Promise<number> {
  const world = new World();
  await world.open();
  try {
    const state: State = { projects: [], keys: new Map(), serial: 0, budget: new ModelBudget(world) };
    for (const step of list) {
      world.crashPlan = step.crash && { ...step.crash };
      await perform(world, state, step);
      if (world.isDead) world.restart();
      world.crashPlan = null;
      await prove(world);
    }
    if (toTheEnd) await settle(world);
    return list.length;
  } finally {
    await world.close();
  }
}

interface State {
  projects: { id: string; total: number }[];
  keys: Map<string, Slot>;
  serial: number;
  readonly budget: ModelBudget;
}

interface Draft {
  readonly urls: readonly string[];
  /** Absent in a check. */
  readonly mode?: "standard" | "instant";
}

/** The input of the first call with an idempotency key, and its project. */
interface Slot {
  since: number;
  input: Draft | null;
  projectId: string | null;
}

async function perform(world: World, state: State, step: Step): Promise<void> {
  try {
    if (step.kind === "buy") await buy(world, step.pack);
    else if (step.kind === "submit" || step.kind === "check") await submit(world, state, step);
    else if (step.kind === "cancel") await cancel(world, state, step);
    else if (step.kind === "limit") await state.budget.limit(step);
    else if (step.kind === "fault") world.faults.set(...(step.fault ? [step.fault] : []));
    else await tick(world, step);
  } catch (thrown) {
    if (!(thrown instanceof Crash) && !(thrown instanceof Refusal)) throw thrown;
    if (thrown instanceof Refusal && !EXPECTED.includes(thrown.code)) throw thrown;
  }
}

const EXPECTED: readonly string[] = [
  "insufficient_credits",
  "payment_required",
  "idempotency_mismatch",
  "idempotency_in_flight",
  "spending_limit",
];

async function buy(world: World, pack: number): Promise<void> {
  const now = world.clock.now();
  await world.db.tx((tx) => bookSandboxOrder(tx, { accountId: world.accounts[0]!, pack: PACKS[pack]!, now }));
}

async function submit(world: World, state: State, step: Step & { kind: "submit" | "check" }): Promise<void> {
  const name = step.kind === "submit" ? "submit_urls" : "check_urls";
  const slot = step.key === null ? null : slotOf(world, state, `${name} ${step.key}`);
  const input = slot?.input ?? draftOf(state, step);
  if (slot) slot.input = input;
  const cost = costOf(input.mode ?? "check", input.urls.length);
  const call = world.call(name, input, slot ? { key: `key-${step.key}` } : {});
  const isRefused = await call.then(
    () => false,
    (thrown) => thrown instanceof Refusal && thrown.code === "spending_limit",
  );
  await state.budget.check(cost, isRefused);
  const answer = (await call) as { project: { id: string; counts: { total: number } } };
  const { id, counts } = answer.project;
  if (slot?.projectId && slot.projectId !== id) throw new Error(`a repeated call made a second project: ${id}`);
  if (slot) slot.projectId = id;
  if (!state.projects.some((project) => project.id === id)) state.projects.push({ id, total: counts.total });
}

/** A key is remembered for a day from its first call; after that it is used with new URLs. */
function slotOf(world: World, state: State, name: string): Slot {
  const now = world.clock.now();
  const known = state.keys.get(name);
  if (known && now - known.since < DAY) return known;
  const fresh = { since: now, input: null, projectId: null };
  state.keys.set(name, fresh);
  return fresh;
}

/** Makes URLs that no other call has, with all sandbox fates. */
function draftOf(
  state: State,
  step: Step & { kind: "submit" | "check" },
): Draft & { drip_days?: number; skip_indexed?: boolean } {
  const names = Object.keys(FATES);
  const serial = state.serial++;
  const shift = step.kind === "submit" ? step.fates : 0;
  const urls = Array.from({ length: step.links }, (_, index) => {
    return `https://example.com/${serial}/${index}?sandbox=${names[(shift + index * 7) % names.length]}`;
  });
  return step.kind === "submit" ? { urls, mode: step.mode, drip_days: step.drip, skip_indexed: step.skips } : { urls };
}

async function cancel(world: World, state: State, { project, some }: Step & { kind: "cancel" }): Promise<void> {
  const chosen = state.projects[project % Math.max(1, state.projects.length)];
  if (!chosen) return;
  const links = Array.from(
    { length: Math.min(chosen.total, (some ?? 0) + 1) },
    (_, i) => `lnk_${chosen.id.slice(4)}_${i}`,
  );
  await world.call("cancel_links", { project_id: chosen.id, ...(some === null ? {} : { link_ids: links }) });
}

async function tick(world: World, { hours, pause }: Step & { kind: "tick" }): Promise<void> {
  world.pause = pause;
  const due = hours === null ? await world.nextDue() : null;
  if (hours !== null) world.clock.pass(hours * HOUR);
  else if (due !== null) world.clock.pass(Math.max(0, due - world.clock.service()));
  await world.drain();
  world.pause = false;
}

async function prove(world: World): Promise<void> {
  if (world.failure) throw world.failure;
  const { problems } = await audit(world.db);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  for (const [key, times] of world.sent) {
    // A link is sent to Google a second time after day 4.
    const allowed = key.startsWith("google ") ? 2 : 1;
    if (times > allowed) throw new Error(`${key} was sent ${times} times`);
  }
}

/** Lets time pass until all projects are completed. */
async function settle(world: World): Promise<void> {
  world.faults.set();
  for (let turns = 0; turns < 5_000; turns++) {
    await world.drain();
    const due = await world.nextDue();
    if (due === null) break;
    world.clock.pass(Math.max(60_000, due - world.clock.service()));
  }
  await prove(world);
  const open = await world.db.q.select().from(world.db.t.projects);
  const active = open.filter((project) => project.status !== "completed");
  if (active.length > 0) throw new Error(`${active.length} projects are never completed`);
  await proveSkipped(world);
  const books = await world.db.q.select().from(world.db.t.ledger);
  if (books.some((entry) => entry.credits === 0)) throw new Error("an entry of nothing");
}
