import { join } from "node:path";
import { askProcess } from "../calls.ts";
import { callAll } from "../connections.ts";
import { inFolder, round } from "../support.ts";
import { startServed } from "./served.ts";

/** So many keys, each limited to 120 calls a minute, that none is refused: 24,000 calls a second. */
const SIZE = { accounts: 2_000, keys: 6, moreProjects: 0, links: 3 };
const PATHS = ["/account", "/projects", "/pricing"];
/** The first tenth fills caches. */
const SAMPLES = 11;

/**
 * Memory of a served process, in MB, over many requests.
 * @param what resident, as it is by itself; or live, which needs a collection of garbage before each sample
 * @returns a sample after each tenth of them
 */
export async function benchMemory(requests: number, what: "resident" | "live"): Promise<number[]> {
  return inFolder(async (folder) => {
    const served = await startServed(`file:${join(folder, "ours.db")}`, SIZE);
    const { process, address, callers } = served;
    const target = {
      request: (n: number) => ({
        url: `${address}/api/v1${PATHS[n % PATHS.length]}`,
        headers: { Authorization: `Bearer ${callers[n % callers.length]!.key}` },
      }),
      isRight: (status: number) => status === 200,
    };
    const samples: number[] = [];
    let made = 0;
    for (let tenth = 1; tenth < SAMPLES; tenth++) {
      const last = Math.round((requests * tenth) / (SAMPLES - 1));
      await callAll(target, made, last);
      made = last;
      const { rssBytes, liveBytes } = await askProcess(process, what === "live" ? "collect" : "read");
      samples.push(what === "live" ? round(liveBytes / 1e6, 1) : round(rssBytes / 1e6, 0));
    }
    process.kill();
    return samples;
  });
}
