import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ENDS as ACCESS_ENDS } from "../src/domain/credentials/may-act.ts";
import { ACTIVITIES, type Activity } from "./support/access/activities.ts";
import { ACTORS, type ActorKind, actorOf } from "./support/access/actors.ts";
import { ENDS, type End } from "./support/access/ends.ts";
import { LAST_DAY, plantAbsences, without } from "./support/access/planted-absence.ts";
import { sampleOf } from "./support/checks/fuzz-runs.ts";
import { isOnPostgres } from "./support/database/database.ts";
import { hookReceiver } from "./support/network/hook-receiver.ts";
import { manualTimers } from "./support/service/manual-timers.ts";
import { testService } from "./support/service/service.ts";

plantAbsences();

const timers = manualTimers();
const service = await testService({ every: timers.every });
const receiver = await hookReceiver();
const stage = { service, timers, receiver };
afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Whether an end concerns something that goes on. */
function concerns([name, end]: readonly [string, End], activity: Activity, kind: ActorKind): boolean {
  if (!end.of.includes(kind) || !activity.by.includes(kind)) return false;
  if (end.endsSessionAlone && activity.needsNoSession) return false;
  if (end.endsSpendingAlone && !activity.spends) return false;
  return activity.endsWith?.includes(name) ?? true;
}

const ALL_CELLS = Object.entries(ACTIVITIES).flatMap(([what, activity]) =>
  ACTORS.flatMap((kind) =>
    Object.entries(ENDS)
      .filter((end) => concerns(end, activity, kind))
      .map(([how, end]) => ({ what, activity, kind, how, end })),
  ),
);

/** On PostgreSQL fewer, since the statements of a cell are the same in many others. */
const CELLS = isOnPostgres ? sampleOf(ALL_CELLS, 30) : ALL_CELLS;

describe.each(Object.entries(ACTIVITIES))("%s", (name, activity) => {
  test.each(activity.by.map((kind) => [kind] as const))("goes on for a %s whose access lasts", async (kind) => {
    const goOn = await activity.begin(stage, await actorOf(service, kind));
    expect(await goOn()).toBe(true);
  });

  test.each(CELLS.filter(({ what }) => what === name))(
    "law: does nothing more for a $kind after $how",
    async ({ kind, end }) => {
      const actor = await actorOf(service, kind);
      const endIt = await end.prepare(service, actor);
      const goOn = await activity.begin(stage, actor);
      await endIt();
      expect(await goOn()).toBe(false);
    },
  );
});

/** Ends that leave something alone. */
const LEFT_ALONE = Object.entries(ACTIVITIES).flatMap(([what, activity]) =>
  activity.spends ? [] : activity.by.map((kind) => [what, kind] as const),
);

test.each(LEFT_ALONE)(
  "law: %s goes on for a %s whose account is disabled, since it spends nothing",
  async (what, kind) => {
    expect(await actsAfter(what, kind, "the operator disables the account")).toBe(true);
  },
);

async function actsAfter(what: string, kind: ActorKind, how: string): Promise<boolean> {
  const actor = await actorOf(service, kind);
  const endIt = await ENDS[how]!.prepare(service, actor);
  const goOn = await ACTIVITIES[what]!.begin(stage, actor);
  await endIt();
  return goOn();
}

/** The checks of may-act.ts, each with an end and something that only this check ends. */
const CHECKS = [
  ["revoked", "a webhook", "key", "it is revoked"],
  ["ended", "a stream of MCP", "app", "the app's last day passes"],
  ["leaving", "an export", "person", "the deletion of the account is requested"],
  ["scope", "a stream of A2A", "key", "its scopes are removed"],
] as const;

test.each(CHECKS)("law: without the check of %s somebody acts after the end", async (check, what, kind, how) => {
  const absent = vi.spyOn(ACCESS_ENDS, check).mockReturnValue(false);
  expect(await actsAfter(what, kind, how).finally(() => absent.mockRestore())).toBe(true);
});

test.each([
  ["runs without the check of disabled", true],
  ["pauses", false],
])("law: a watch that is made active in a disabled account %s", async (_, runs) => {
  const absent = runs ? vi.spyOn(ACCESS_ENDS, "disabled").mockReturnValue(false) : null;
  const actor = await actorOf(service, "key");
  await (await ENDS["the operator disables the account"]!.prepare(service, actor))();
  const goOn = await ACTIVITIES["a watch that spends nothing"]!.begin(stage, actor);
  expect(await goOn().finally(() => absent?.mockRestore())).toBe(runs);
});

/** The places that ask, each with an end and something that only this place ends. Where two stand behind each other, both are absent. */
const PLACES: readonly (readonly [places: string[], what: string, kind: ActorKind, how: string])[] = [
  [["contract/call.ts"], "a change in flight", "key", "it is revoked"],
  [["spending/spend.ts"], "a spend in flight", "app", "its scopes are removed"],
  [
    ["users/sessions.ts", "spending/spend.ts"],
    "a form in flight",
    "person",
    "the deletion of the account is requested",
  ],
  [["contract/open-streams.ts"], "a stream of MCP", "key", "it is revoked"],
  [["contract/open-streams.ts"], "a stream of A2A", "app", "it expires"],
  [["mcp/subscriptions.ts"], "a call of resources/subscribe in flight", "key", "it is revoked"],
  [["events/calls.ts"], "a call of events/subscribe in flight", "key", "it is revoked"],
  [["contract/open-streams.ts"], "a stream of MCP Events", "key", "it is revoked"],
  [["credentials/listener.ts"], "a subscription to MCP Events", "app", "its scopes are removed"],
  [["credentials/listener.ts"], "a webhook", "key", "it expires"],
  [["credentials/listener.ts"], "a push configuration", "app", "the app's last day passes"],
  [["watches/commit-run.ts"], "a watch that spends nothing", "key", "it expires"],
  [["watches/hooks.ts"], "a publish hook", "key", "it expires"],
  [["shares/makers.ts"], "a share of results", "key", "it expires"],
  [["exports/lease.ts"], "an export", "person", "the deletion of the account is requested"],
  [["agent/task-resumer.ts", "spending/spend.ts"], "an approved call that waits", "app", "it expires"],
  [["users/undo-address.ts"], "a webhook", "person", "a change of the address is undone"],
  [["users/reset.ts"], "a watch", "person", "the password is reset, access revoked"],
  [[LAST_DAY], "a webhook", "app", "the app's last day passes"],
];

test.each(PLACES)("law: where %j does not ask, %s acts for a %s after %s", async (places, what, kind, how) => {
  expect(await without(places, () => actsAfter(what, kind, how))).toBe(true);
});

/** Files that ask, and are in no row of PLACES. */
const NOT_IN_PLACES: Readonly<Record<string, string>> = {
  "credentials/identify.ts": "each new call begins here; CHECKS leaves out what it asks",
  "credentials/ended-askers.ts": "it says which approvals wait, and lets nobody act",
  "watches/maker.ts": "it asks for commit-run.ts, in the transaction of a run",
  "watches/take-named.ts": "it asks once more what maker.ts has asked, and nothing between the two waits for anybody",
};

test("law: every file that asks whether somebody may still act is left out by one of these tests, or has a reason", async () => {
  const asks =
    /import \{[^}]*\b(?:endOf|requireMayAct|makerOrEnd|makerWhoMayAct|requireMaker)\b[^}]*\} from "[^"]*may-act\.ts"/;
  const asking: string[] = [];
  for await (const path of glob("src/**/*.ts"))
    if (asks.test(readFileSync(path, "utf8"))) asking.push(path.split("/").slice(-2).join("/"));
  const leftOut = new Set(PLACES.flatMap(([files]) => files));
  expect(asking.filter((file) => !leftOut.has(file)).sort()).toEqual(Object.keys(NOT_IN_PLACES).sort());
});

/** Ends that leave something as it is, and why. */
const APART: readonly (readonly [why: string, whats: readonly string[], hows: readonly string[]])[] = [
  [
    "a person's session is no credential, and goes on without one",
    ["a form in flight", "an export"],
    ["it is revoked", "it expires", "the app's last day passes", "its scopes are removed"],
  ],
  [
    "it goes on without a session",
    Object.keys(ACTIVITIES).filter((what) => what !== "a form in flight"),
    ["all browsers are signed out"],
  ],
  [
    "what spends nothing goes on in a disabled account",
    LEFT_ALONE.map(([what]) => what),
    ["the operator disables the account"],
  ],
  [
    "only a session of the owner downloads an export, and these ends end the sessions",
    ["an export"],
    ["a change of the address is undone", "the password is reset, access revoked"],
  ],
];

test("law: every end meets everything that goes on, or it is said why not", () => {
  const pairs = Object.keys(ACTIVITIES).flatMap((what) => Object.keys(ENDS).map((how) => `${what} / ${how}`));
  const met = new Set(ALL_CELLS.map(({ what, how }) => `${what} / ${how}`));
  const apart = APART.flatMap(([, whats, hows]) => whats.flatMap((what) => hows.map((how) => `${what} / ${how}`)));
  expect(pairs.filter((pair) => !met.has(pair)).sort()).toEqual([...new Set(apart)].sort());
});
