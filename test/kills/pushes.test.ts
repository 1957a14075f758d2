import { afterAll, expect, test } from "vitest";
import { a2aClient, message } from "../support/a2a/test-bindings.ts";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { endLeases } from "../support/kills/killable-service.ts";
import { testKillable } from "../support/kills/test-killable.ts";
import { hookReceiver } from "../support/network/hook-receiver.ts";
import { eventually } from "../support/service/eventually.ts";

/** Each at another moment: after so many tasks were promised to be told of, or so many pushes have come. */
const KILLS = sampleOf(
  [
    { promised: 1, pushes: 0 },
    { promised: 3, pushes: 0 },
    { promised: 0, pushes: 1 },
    { promised: 0, pushes: 3 },
  ],
  2,
);

/** Tasks that each process is given. */
const TASKS = 3;

const receiver = await hookReceiver();
afterAll(() => receiver.close());
// Fourteen days pass in a second.
const settings = { TIME_SCALE: "1000000", SECRETS_KEY: Buffer.alloc(32, 5).toString("base64") };
const { service, db } = await testKillable(settings);

/** The tasks whose end was told. */
function told(): Set<string> {
  const tasks = receiver.received.flatMap(({ body }) => JSON.parse(body).task ?? []);
  return new Set(tasks.filter(({ status }) => status.state === "TASK_STATE_COMPLETED").map(({ id }) => id));
}

test(`law: over ${KILLS.length} kills each task that was promised to be told of ends by a push with its final state`, {
  timeout: 200_000,
}, async () => {
  const key = await service.account("pushes");
  const promised: string[] = [];
  for (const [kill, target] of KILLS.entries()) {
    const before = { promised: promised.length, pushes: receiver.received.length };
    const promise = async (address: string, n: number) => void promised.push(await watch(address, key, `${kill}.${n}`));
    const hasCome = await service.live(({ address }) => ({
      work: Promise.allSettled(Array.from({ length: TASKS }, (_, n) => promise(address, n))),
      isReached: () =>
        promised.length >= before.promised + target.promised &&
        receiver.received.length >= before.pushes + target.pushes,
    }));
    expect(hasCome).toBe(true);
  }
  await endLeases(db);
  const { stop } = await service.start();
  await eventually(() => expect([...told()]).toEqual(expect.arrayContaining(promised)));
  await stop();
  expect(promised.length).toBeGreaterThanOrEqual(KILLS.length);
});

/** @returns the id of a task that watches a new project, and that a push configuration of the same message is told of */
async function watch(address: string, key: string, name: string): Promise<string> {
  const client = a2aClient(`${address}/a2a`, key);
  const send = async (id: string, part: object, configuration: object) => {
    const params = { message: message("push", { messageId: id, parts: [part] }), configuration };
    return (await client.rpc("SendMessage", params)).json.result.task;
  };
  const urls = [`https://example.com/${name}`];
  const made = await send(`submit ${name}`, { data: { skill: "submit_urls", input: { urls } } }, {});
  const { id } = made.artifacts[0].parts[0].data.project;
  const taskPushNotificationConfig = { url: `${receiver.url}/hook`, token: name };
  const watched = { returnImmediately: true, taskPushNotificationConfig };
  return (await send(`watch ${name}`, { text: `watch ${id}` }, watched)).id;
}
