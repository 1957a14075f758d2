import { expect, test } from "vitest";
import { runsOf } from "../support/checks/fuzz-runs.ts";
import { testKillable } from "../support/kills/test-killable.ts";

const KILLS = runsOf({ usually: 2, deep: 12 });
/** New messages between two kills: at the end each is sent once more, and an account may make 120 requests a minute. */
const MESSAGES = 10;
const { service, db } = await testKillable();

test(`law: a message that is repeated until it is answered, over ${KILLS} kills, is executed once`, {
  timeout: 180_000,
}, async () => {
  const key = await service.account("messages");
  /** By the ids of messages: the tasks that answered them, the same one every time. */
  const answered = new Map<string, string>();
  const sent = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    // What was not answered before is sent again, and then new ones, two at once.
    const open = [...sent].filter((id) => !answered.has(id));
    const next = () => open.shift() ?? (sent.size < (kill + 1) * MESSAGES ? `message-${sent.size}` : null);
    const lane = async (address: string) => {
      for (let id = next(); id !== null; id = next()) {
        sent.add(id);
        const task = await send(address, key, id);
        if (task === null) return;
        answered.set(id, task);
      }
    };
    const target = answered.size + (kill % 4);
    await service.live(({ address }) => ({
      work: Promise.all([lane(address), lane(address)]),
      // Before anything is done, and after so many answers, with others on their way: however fast the machine is.
      isReached: (isOver) => isOver || answered.size >= target,
      ms: () => (kill * 7) % 30,
    }));
  }
  const { address, stop } = await service.start();
  for (const id of sent) {
    const task = (await send(address, key, id))!;
    expect(task, id).toBe(answered.get(id) ?? task);
    answered.set(id, task);
  }
  await stop();
  expect(sent.size).toBeGreaterThan(KILLS);
  expect(new Set(answered.values()).size).toBe(sent.size);
  expect(JSON.parse(await service.command("audit", "--json"))).toMatchObject({ ok: true, problems: [] });
  const spends = (await db.q.select().from(db.t.ledger)).filter(({ kind }) => kind === "spend");
  const counts = [db.t.projects, db.t.tasks, db.t.taskMessages].map(
    async (table) => (await db.q.select().from(table)).length,
  );
  expect([spends.length, ...(await Promise.all(counts))]).toEqual(Array(4).fill(sent.size));
});

/** @returns the id of the completed task, or null when the process died before it answered */
async function send(address: string, key: string, id: string): Promise<string | null> {
  const input = { urls: [`https://example.com/${id}/1`, `https://example.com/${id}/2`] };
  const message = { messageId: id, role: "ROLE_USER", parts: [{ data: { skill: "submit_urls", input } }] };
  try {
    const response = await fetch(`${address}/a2a`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "A2A-Version": "1.0" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }),
    });
    const { task } = ((await response.json()) as { result: { task: { id: string; status: { state: string } } } })
      .result;
    return task.status.state === "TASK_STATE_COMPLETED" ? task.id : null;
  } catch {
    return null;
  }
}
