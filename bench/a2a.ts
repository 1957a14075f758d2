import { join } from "node:path";
import { type Contender, costPerCall, startProgram, timesThatOf } from "./calls.ts";
import { startServed } from "./reads/served.ts";
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

/** Callers enough that none is over its limit of 120 calls a minute. */
const SIZE = { accounts: 2_000, moreProjects: 0, links: 1 };

/**
 * CPU of an A2A SendMessage: get_account with an API key, identified, counted and stored as a task, of the whole product as
 * `npm start` runs it, against the SDK's default handler with its own task store in SQLite, whose agent does nothing. In µs, medians.
 */
export async function benchA2a(rounds: number, calls: number) {
  return inFolder(async (folder) => {
    const served = await startServed(`file:${join(folder, "ours.db")}`, SIZE);
    const sdks = await startProgram("./a2a-peer.ts", [join(folder, "peer.db")]);
    try {
      const { address, callers } = served;
      const ours: Contender = {
        process: served.process,
        call: (n) => ({
          url: `${address}/a2a`,
          headers: { "A2A-Version": "1.0", Authorization: `Bearer ${callers[n % callers.length]!.key}` },
          body: message(n, "get_account"),
        }),
        isRight,
      };
      const peer: Contender = {
        process: sdks.process,
        call: (n) => ({ url: sdks.address, headers: { "A2A-Version": "1.0" }, body: message(n, "nothing") }),
        isRight,
      };
      const costs = await costPerCall({ ours, peer }, rounds, calls);
      const ratio = round(timesThatOf(costs.ours!, costs.peer!), 2);
      return { ours: round(costs.ours!.median, 0), peer: round(costs.peer!.median, 0), ratio };
    } finally {
      for (const { process } of [served, sdks]) process.kill();
    }
  });
}
