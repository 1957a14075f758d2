import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inFolder, median, pageUrl, round } from "./support.ts";

/** 20,000 entries, of which 10,000 remain: every second one stands twice, and a few are no URLs. */
function bodyOf(round: number): string {
  const urls: string[] = [];
  for (let i = 0; i < 10_000; i++) {
    urls.push(pageUrl(round * 10_000 + i));
    urls.push(i % 20 === 0 ? `not a url ${i}` : pageUrl(round * 10_000 + ((i * 7) % 10_000)));
  }
  return JSON.stringify({ urls });
}

interface Figures {
  wall: number;
  cpu: number;
  stall: number;
  parse: number;
}

/**
 * POST /projects with 20,000 URLs to the whole service in a process of its own, durable: wall time at the
 * client, CPU of the server over all threads, longest stall of its event loop, each against JSON.parse of the
 * same body in the same process. Times in ms, medians.
 */
export async function benchSubmission(rounds: number) {
  return inFolder((folder) => submissionsTo(`file:${join(folder, "bench.db")}`, rounds));
}

/** @param url an empty database of either engine */
export async function submissionsTo(url: string, rounds: number) {
  const server = fork(new URL("./submission-server.ts", import.meta.url), [url], { execArgv: ["--import", "tsx"] });
  const ask = async (message: object): Promise<Record<string, number>> => {
    server.send(message);
    const [answer] = await once(server, "message");
    return answer as Record<string, number>;
  };
  try {
    const [{ address, key }] = (await once(server, "message")) as [{ address: string; key: string }];
    const runs: Figures[] = [];
    for (let number = 0; number < rounds + 3; number++) {
      const body = bodyOf(number);
      const { parse } = await ask({ ask: "parse", body });
      // Housekeeping of the round before is over.
      await quiet(ask);
      await ask({ ask: "reset" });
      const start = performance.now();
      const response = await fetch(`${address}/api/v1/projects`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      });
      const wall = performance.now() - start;
      const { cpu, stall } = await ask({ ask: "read" });
      if (response.status !== 201) throw new Error(await response.text());
      await response.json();
      if (number >= 3) runs.push({ wall, cpu: cpu!, stall: stall!, parse: parse! });
    }
    const of = (name: keyof Figures) => round(median(runs.map((run) => run[name])), 1);
    const ratio = round(median(runs.map((run) => run.cpu / run.parse)), 1);
    return { wall: of("wall"), cpu: of("cpu"), parse: of("parse"), cpuPerParse: ratio, stall: of("stall") };
  } finally {
    server.kill();
  }
}

/** Waits until the server has used next to no CPU for a while. */
async function quiet(ask: (message: object) => Promise<Record<string, number>>): Promise<void> {
  for (let calm = 0; calm < 2; ) {
    await ask({ ask: "reset" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    calm = (await ask({ ask: "read" })).cpu! < 10 ? calm + 1 : 0;
  }
}
