import { join } from "node:path";
import { type Contender, cpuPerCall, timesThatOf } from "./calls.ts";
import { inFolder, round } from "./support.ts";

/** A message that calls a skill; the answer is a task that is stored. */
const message = (n: number, skill: string) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: n,
    method: "SendMessage",
    params: { message: { messageId: `bench-${n}`, role: "ROLE_USER", parts: [{ data: { skill, input: {} } }] } },
  });

const isRight = (status: number, text: string) => status === 200 && text.includes("TASK_STATE_COMPLETED");

/**
 * CPU of an A2A SendMessage: get_account with an API key, identified, counted and stored as a task, against the SDK's
 * default handler with its own task store in SQLite, whose agent does nothing. In µs, medians.
 */
export async function benchA2a(rounds: number, calls: number) {
  return inFolder(async (folder) => {
    const ours: Contender = {
      program: "./calls-server.ts",
      args: [`file:${join(folder, "ours.db")}`],
      call: (n, { address, keys }) => ({
        url: `${address}/a2a`,
        headers: { "A2A-Version": "1.0", Authorization: `Bearer ${keys![n % keys!.length]}` },
        body: message(n, "get_account"),
      }),
      isRight,
    };
    const peer: Contender = {
      program: "./a2a-peer.ts",
      args: [join(folder, "peer.db")],
      call: (n, { address }) => ({ url: address, headers: { "A2A-Version": "1.0" }, body: message(n, "nothing") }),
      isRight,
    };
    const costs = await cpuPerCall({ ours, peer }, rounds, calls);
    const ratio = round(timesThatOf(costs.ours!, costs.peer!), 2);
    return { ours: round(costs.ours!.median, 0), peer: round(costs.peer!.median, 0), ratio };
  });
}
