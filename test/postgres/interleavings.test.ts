import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../db/engine.ts";
import { reopenDatabase } from "../../db/open.ts";
import type { ProjectRow } from "../../src/domain/projects/read.ts";
import { DAY, MINUTE } from "../../src/platform/clock.ts";
import { pages, type TestStore, testStore } from "../support/database/store.ts";
import { during } from "../support/nodes/interleave.ts";
import {
  type Act,
  begin,
  cancelLate,
  cancelLink,
  cancelProject,
  complete,
  holding,
  outcomeOf,
  type Scene,
  submit,
  takeOver,
} from "../support/nodes/leased-project.ts";
import { testChecker } from "../support/service/checker.ts";
import { allTests } from "../support/service/each-test.ts";

/**
 * What is done to one project at the same time, on two nodes, comes out as if one had come before the other. Nothing is
 * left to chance: a transaction that has looked at the database does its work after another one was committed.
 */
interface Stage {
  readonly links: number;
  /** Of its links, in the sandbox; default: they are never indexed. */
  readonly fate?: string;
  readonly more: Parameters<TestStore["index"]>[2];
  /** How old the project is, in ms. */
  readonly age: number;
  /** Done to it before the race. */
  readonly before?: readonly Act[];
  readonly acts: Readonly<Record<string, Act>>;
  /** Three of them that are raced together. */
  readonly three?: readonly (readonly string[])[];
}

const ALWAYS = { "submit more": submit, "take over": takeOver, "cancel project": cancelProject };
const [GOOGLE_STEP, BING_STEP] = [0, 1];
const ADDED = { bing: true, yandex: false } as const;

const STAGES: Readonly<Record<string, Stage>> = {
  "about to be sent": {
    links: 3,
    more: ADDED,
    age: 0,
    acts: {
      ...ALWAYS,
      "begin google": begin(GOOGLE_STEP),
      "begin bing": begin(BING_STEP),
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
    acts: {
      "take over": takeOver,
      "begin google": begin(GOOGLE_STEP),
      "begin bing": begin(BING_STEP),
      "cancel link": cancelLink(1),
      "submit more": submit,
    },
  },
  "being sent": {
    links: 3,
    more: ADDED,
    age: 0,
    before: [begin(GOOGLE_STEP), begin(BING_STEP)],
    acts: {
      ...ALWAYS,
      "complete google": complete(GOOGLE_STEP),
      "complete bing": complete(BING_STEP),
      "cancel link": cancelLink(1),
      "cancel when leases are over": cancelLate,
    },
  },
  "at day 14, one link not sent": {
    links: 3,
    more: { dripDays: 30 },
    age: 14 * DAY + 31 * MINUTE,
    acts: {
      ...ALWAYS,
      "complete day 14": complete(0),
      "complete day 4": complete(1),
      "cancel link": cancelLink(2),
      "cancel when leases are over": cancelLate,
    },
  },
  // Of two steps: one has no room for all its links. Nothing changes at the end but that it is the end.
  "at the end": {
    links: 501,
    fate: "day_4",
    more: {},
    age: 14 * DAY + MINUTE,
    acts: {
      "complete one": complete(0, "indexed"),
      "complete the other": complete(1, "indexed"),
      "submit more": submit,
      "take over": takeOver,
    },
  },
};

const store = allTests(testStore);
let nodes: readonly [Engine, Engine];
beforeAll(async () => {
  nodes = [reopenDatabase(store.url, {}), reopenDatabase(store.url, {})];
});
afterAll(async () => {
  for (const node of nodes) await node.close();
});

/** So many projects of the stage, of accounts that have spent all they had. */
async function projectsAt({ links, fate = "never", more, age }: Stage, count: number): Promise<ProjectRow[]> {
  const made: ProjectRow[] = [];
  for (let left = count; left > 0; left--)
    made.push(await store.index(await store.account(links), pages(links, fate), more));
  // The second look of day 14 is due at that time, and not done yet.
  if (age > 0) await testChecker(store).until(store.clock.service() + age - MINUTE - 1);
  store.clock.pass(age > 0 ? MINUTE + 1 : 0);
  return made;
}

/** What became of it, and what each was told who did something to it. */
interface Come {
  readonly told: Readonly<Record<number, string>>;
  readonly outcome: object;
}

/** Does one of them, by its number. */
type Do = (index: number, db?: Engine) => Promise<void>;

async function play(stage: Stage, project: ProjectRow, acts: readonly Act[], run: (act: Do) => Promise<void>) {
  const scene: Scene = await holding(store, project);
  for (const act of stage.before ?? []) await act(scene, nodes[1]);
  const told: Record<number, string> = {};
  await run(async (index, db = nodes[1]) => {
    told[index] = await acts[index]!(scene, db);
  });
  const come: Come = { told, outcome: await outcomeOf(scene) };
  await store.db.tx((tx) => tx.q.delete(tx.t.steps).where(eq(tx.t.steps.projectNo, project.no)));
  return come;
}

/** One of them has looked first, and works after the others have. */
function late([first, ...others]: readonly number[], acts: readonly Act[]): ((act: Do) => Promise<void>) | null {
  // A claim is one statement, which passes over what it finds locked: it comes while the other one is not committed.
  const isClaim = acts[first!] === takeOver;
  if (isClaim && (others.length > 1 || acts[others[0]!] === takeOver)) return null;
  return async (act) => {
    let hasMet = false;
    const meanwhile = async () => {
      hasMet = true;
      for (const index of isClaim ? [first!] : others) await act(index);
    };
    const [one, when] = isClaim ? ([others[0]!, "worked"] as const) : ([first!, "looked"] as const);
    await act(one, during(nodes[0], when, meanwhile));
    expect(hasMet).toBe(true);
    // Who passes over a step comes again.
    if (isClaim) await act(first!);
  };
}

/** Every order of the numbers below n. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((order) => Array.from({ length: n }, (_, at) => order.toSpliced(at, 0, n - 1)));
}

async function race(stage: Stage, projects: ProjectRow[], names: readonly string[]): Promise<void> {
  const acts = names.map((name) => stage.acts[name]!);
  const all = orders(names.length);
  const serial: Come[] = [];
  for (const order of all) {
    const one = async (act: Do) => {
      for (const index of order) await act(index);
    };
    serial.push(await play(stage, projects.pop()!, acts, one));
  }
  for (const order of all) {
    const raced = late(order, acts);
    if (!raced) continue;
    const come = await play(stage, projects.pop()!, acts, raced);
    expect(serial, `${order.map((index) => names[index])}, of which the first has looked first`).toContainEqual(come);
  }
}

describe.each(Object.entries(STAGES))("law: a project %s:", (_, stage) => {
  const names = Object.keys(stage.acts);
  const pairs = names.flatMap((name, at) => names.slice(at).map((other) => [name, other]));
  const races = [...pairs, ...(stage.three ?? [])].filter((one) => one.some((name) => name !== "take over"));
  let projects: ProjectRow[];
  beforeAll(async () => {
    await store.db.tx((tx) => tx.q.delete(tx.t.steps));
    const needed = races.map((names) => 2 * orders(names.length).length);
    projects = await projectsAt(
      stage,
      needed.reduce((sum, count) => sum + count, 0),
    );
  });

  test.each(races.map((names) => [names.join(", "), names] as const))("%s at once", async (_, names) => {
    await race(stage, projects, names);
  });
});
