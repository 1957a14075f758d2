import { once } from "node:events";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { a2aClient, message } from "../support/a2a/test-bindings.ts";
import { killableServices } from "../support/kills/killable-service.ts";
import { hookReceiver } from "../support/network/hook-receiver.ts";
import { eventually } from "../support/service/eventually.ts";

/** Each at another moment: after so many tasks were promised to be told of, or so many pushes have come. */
const KILLS = [
  { promised: 1, pushes: 0 },
  { promised: 3, pushes: 0 },
  { promised: 0, pushes: 1 },
  { promised: 0, pushes: 3 },
] as const;

/** Tasks that each process is given. */
const TASKS = 3;

const receiver = await hookReceiver();
afterAll(() => receiver.close());
// Fourteen days pass in a second.
const settings = { TIME_SCALE: "1000000", SECRETS_KEY: Buffer.alloc(32, 5).toString("base64") };
const { serve, account, databaseUrl, expireLeases } = await killableServices(settings);

/** The tasks whose end was told. */
function told(): Set<string> {
  const tasks = receiver.received.flatMap(({ body }) => JSON.parse(body).task ?? []);
  return new Set(tasks.filter(({ status }) => status.state === "TASK_STATE_COMPLETED").map(({ id }) => id));
}

test(`law: over ${KILLS.length} kills each task that was promised to be told of ends by a push with its final state`, {
  timeout: 200_000,
}, async () => {
  const key = await account("pushes");
  const promised: string[] = [];
  for (const [kill, target] of KILLS.entries()) {
    const { process, address } = await serve();
    const before = { promised: promised.length, pushes: receiver.received.length };
    const work = Promise.allSettled(
      Array.from({ length: TASKS }, async (_, n) => void promised.push(await watch(address, key, `${kill}.${n}`))),
    );
    await eventually(() => {
      expect(promised.length).toBeGreaterThanOrEqual(before.promised + target.promised);
      expect(receiver.received.length).toBeGreaterThanOrEqual(before.pushes + target.pushes);
    });
    process.kill("SIGKILL");
    await Promise.all([work, once(process, "exit")]);
  }
  await expireLeases();
  await expireDeliveries();
  const { process } = await serve();
  await eventually(() => expect([...told()]).toEqual(expect.arrayContaining(promised)));
  process.kill("SIGTERM");
  await once(process, "exit");
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

/** Ends the leases of killed senders, and the delays after failed attempts, as the time that passes would. */
async function expireDeliveries(): Promise<void> {
  const db = await openDatabase(databaseUrl);
  const { webhookDeliveries } = db.t;
  const free = { lease: null, leaseUntil: null, nextAt: 0 };
  const isPending = eq(webhookDeliveries.status, "pending");
  await db.tx(async ({ q }) => void (await q.update(webhookDeliveries).set(free).where(isPending)));
  await db.close();
}
