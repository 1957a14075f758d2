import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { reopenDatabase } from "../../db/open.ts";
import type { ProjectRow } from "../../src/domain/projects/read.ts";
import { DAY, MINUTE } from "../../src/platform/clock.ts";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { pages, type TestStore, testStore } from "../support/database/store.ts";
import { interleave } from "../support/nodes/interleave.ts";
import {
  type Action,
  beginStep,
  cancelLate,
  cancelLink,
  cancelProject,
  finishStep,
  type LeasedProject,
  leaseDueSteps,
  outcomeOf,
  submit,
  takeOver,
} from "../support/nodes/leased-project.ts";
import { testChecker } from "../support/service/checker.ts";
import { allTests } from "../support/service/each-test.ts";

/**
 * Concurrent actions on one project, on two nodes, have the same result as if they had run one after the other. Timing
 * plays no part: a transaction takes its snapshot first and does its work after another one has committed.
 */
interface Situation {
  readonly links: number;
  /** Sandbox fate of the links; default: never indexed. */
  readonly fate?: string;
  readonly more: Parameters<TestStore["index"]>[2];
  /** How old the project is, in ms. */
  readonly age: number;
  /** Run before the race. */
  readonly before?: readonly Action[];
  readonly actions: Readonly<Record<string, Action>>;
  /** Names of three actions that race together. */
  readonly three?: readonly (readonly string[])[];
}

const ALWAYS = { "submit more": submit, "take over": takeOver, "cancel project": cancelProject };
const [GOOGLE_STEP, BING_STEP] = [0, 1];
const ADDED = { bing: true, yandex: false } as const;

const SITUATIONS: Readonly<Record<string, Situation>> = {
  "about to be sent": {
    links: 3,
    more: ADDED,
    age: 0,
    actions: {
      ...ALWAYS,
      "begin google": beginStep(GOOGLE_STEP),
      "begin bing": beginStep(BING_STEP),
      "cancel link": cancelLink(1),
      "cancel when leases are over": cancelLate,
    },
    three: [
      ["begin google", "begin bing", "cancel link"],
      ["begin google", "begin bing", "cancel project"],
      ["begin google", "begin bing", "take over"],
    ],
  },
  "about to be sent, one link cancelled": {
    links: 3,
    more: ADDED,
    age: 0,
    before: [cancelLink(0)],
    actions: {
      "take over": takeOver,
      "begin google": beginStep(GOOGLE_STEP),
      "begin bing": beginStep(BING_STEP),
      "cancel link": cancelLink(1),
      "submit more": submit,
    },
  },
  "being sent": {
    links: 3,
    more: ADDED,
    age: 0,
    before: [beginStep(GOOGLE_STEP), beginStep(BING_STEP)],
    actions: {
      ...ALWAYS,
      "complete google": finishStep(GOOGLE_STEP),
      "complete bing": finishStep(BING_STEP),
      "cancel link": cancelLink(1),
      "cancel when leases are over": cancelLate,
    },
  },
  "at day 14, one link not sent": {
    links: 3,
    more: { dripDays: 30 },
    age: 14 * DAY + 31 * MINUTE,
    actions: {
      ...ALWAYS,
      "complete day 14": finishStep(0),
      "complete day 4": finishStep(1),
      "cancel link": cancelLink(2),
      "cancel when leases are over": cancelLate,
    },
  },
  // One step holds at most 500 links, so that there are two steps.
  "at the end": {
    links: 501,
    fate: "day_4",
    more: {},
    age: 14 * DAY + MINUTE,
    actions: {
      "complete one": finishStep(0, "indexed"),
      "complete the other": finishStep(1, "indexed"),
      "submit more": submit,
      "take over": takeOver,
    },
  },
};

const store = allTests(testStore);
let nodes: readonly [Engine, Engine];
beforeAll(async () => {
  nodes = await Promise.all([reopenDatabase(store.url, {}), reopenDatabase(store.url, {})]);
});
afterAll(async () => {
  for (const node of nodes) await node.close();
});

/** Creates projects in the situation, of accounts that have spent all their credits. */
async function projectsAt({ links, fate = "never", more, age }: Situation, count: number): Promise<ProjectRow[]> {
  const made: ProjectRow[] = [];
  for (let left = count; left > 0; left--)
    made.push(await store.index(await store.account(links), pages(links, fate), more));
  // The second check of day 14 is due at that time, and not done yet.
  if (age > 0) await testChecker(store).until(store.clock.service() + age - MINUTE - 1);
  store.clock.pass(age > 0 ? MINUTE + 1 : 0);
  return made;
}

/** The state at the end, and the answer to each action by its index. */
interface Result {
  readonly answers: Readonly<Record<number, string>>;
  readonly outcome: object;
}

/** Runs one of the actions, by its index. */
type RunAction = (index: number, db?: Engine) => Promise<void>;

async function runActions(
  situation: Situation,
  project: ProjectRow,
  actions: readonly Action[],
  run: (action: RunAction) => Promise<void>,
) {
  const leased: LeasedProject = await leaseDueSteps(store, project);
  for (const action of situation.before ?? []) await action(leased, nodes[1]);
  const answers: Record<number, string> = {};
  await run(async (index, db = nodes[1]) => {
    answers[index] = await actions[index]!(leased, db);
  });
  const result: Result = { answers, outcome: await outcomeOf(leased) };
  await store.db.tx((tx) => tx.q.delete(tx.t.steps).where(eq(tx.t.steps.projectNo, project.no)));
  return result;
}

/** The first action takes its snapshot before the others run, and does its work after them. */
function interleaved(
  [first, ...others]: readonly number[],
  actions: readonly Action[],
): ((action: RunAction) => Promise<void>) | null {
  // A claim is one statement that skips locked rows, so it runs while the other transaction is not committed yet.
  const isClaim = actions[first!] === takeOver;
  if (isClaim && (others.length > 1 || actions[others[0]!] === takeOver)) return null;
  return async (action) => {
    let hasRun = false;
    const meanwhile = async () => {
      hasRun = true;
      for (const index of isClaim ? [first!] : others) await action(index);
    };
    const [one, when] = isClaim ? ([others[0]!, "before commit"] as const) : ([first!, "after first read"] as const);
    await action(one, interleave(nodes[0], when, meanwhile));
    expect(hasRun).toBe(true);
    // A worker that skipped a step tries again later.
    if (isClaim) await action(first!);
  };
}

/** Every order of the numbers below n. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((order) => Array.from({ length: n }, (_, at) => order.toSpliced(at, 0, n - 1)));
}

async function race(situation: Situation, projects: ProjectRow[], names: readonly string[]): Promise<void> {
  const actions = names.map((name) => situation.actions[name]!);
  const all = orders(names.length);
  const serial: Result[] = [];
  for (const order of all) {
    const one = async (action: RunAction) => {
      for (const index of order) await action(index);
    };
    serial.push(await runActions(situation, projects.pop()!, actions, one));
  }
  for (const order of all) {
    const raced = interleaved(order, actions);
    if (!raced) continue;
    const result = await runActions(situation, projects.pop()!, actions, raced);
    expect(serial, `${order.map((index) => names[index])}, the first of which took its snapshot first`).toContainEqual(
      result,
    );
  }
}

describe.each(Object.entries(SITUATIONS))("law: a project %s:", (_, situation) => {
  const names = Object.keys(situation.actions);
  const pairs = names.flatMap((name, at) => names.slice(at).map((other) => [name, other]));
  const chosen = [...sampleOf(pairs, 8), ...sampleOf(situation.three ?? [], 1)];
  const races = chosen.filter((one) => one.some((name) => name !== "take over"));
  let projects: ProjectRow[];
  beforeAll(async () => {
    await store.db.tx((tx) => tx.q.delete(tx.t.steps));
    const needed = races.map((names) => 2 * orders(names.length).length);
    projects = await projectsAt(
      situation,
      needed.reduce((sum, count) => sum + count, 0),
    );
  });

  test.each(races.map((names) => [names.join(", "), names] as const))("%s at once", async (_, names) => {
    await race(situation, projects, names);
  });
});
