import { afterAll, describe, expect, test, vi } from "vitest";
import { ENDS as ACCESS_ENDS } from "../src/domain/credentials/may-act.ts";
import { ACTIVITIES, type Activity } from "./support/access/activities.ts";
import { ACTORS, type ActorKind, actorOf } from "./support/access/actors.ts";
import { ENDS, type End } from "./support/access/ends.ts";
import { hookReceiver } from "./support/network/hook-receiver.ts";
import { manualTimers } from "./support/service/manual-timers.ts";
import { testService } from "./support/service/service.ts";

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
  return activity.endsWith?.includes(name) ?? true;
}

const CELLS = Object.entries(ACTIVITIES).flatMap(([what, activity]) =>
  ACTORS.flatMap((kind) =>
    Object.entries(ENDS)
      .filter((end) => concerns(end, activity, kind))
      .map(([how, end]) => ({ what, activity, kind, how, end })),
  ),
);

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

/** The checks of may-act.ts, each with an end and something that only this check ends. */
const CHECKS = [
  ["revoked", "a webhook", "key", "it is revoked"],
  ["ended", "a stream of MCP", "app", "the app's last day passes"],
  ["leaving", "an export", "person", "the deletion of the account is requested"],
  ["scope", "a stream of A2A", "key", "its scopes are removed"],
] as const;

test.each(CHECKS)("law: without the check of %s somebody acts after the end", async (check, what, kind, how) => {
  const absent = vi.spyOn(ACCESS_ENDS, check).mockReturnValue(false);
  try {
    const actor = await actorOf(service, kind);
    const endIt = await ENDS[how]!.prepare(service, actor);
    const goOn = await ACTIVITIES[what]!.begin(stage, actor);
    await endIt();
    expect(await goOn()).toBe(true);
  } finally {
    absent.mockRestore();
  }
});

test("law: every end and everything that goes on meet", () => {
  expect(new Set(CELLS.map(({ how }) => how)).size).toBe(Object.keys(ENDS).length);
  expect(new Set(CELLS.map(({ what }) => what)).size).toBe(Object.keys(ACTIVITIES).length);
});
