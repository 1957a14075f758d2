import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { MeterMessage } from "./submission-meter.ts";
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
 * POST /projects with 20,000 URLs to the whole service in a process of its own, durable: wall time at the client, CPU of the
 * server over all threads, longest stall of its event loop, each against JSON.parse of the same body in the same process.
 * Times in ms, medians. `floor` is the CPU of a server that does no more than receive, parse and store the same rows
 * (submission-floor.ts), asked in turn with the service.
 */
export async function benchSubmission(rounds: number) {
  return inFolder(async (folder) => {
    const service = await Submissions.start("submission-server.ts", `file:${join(folder, "bench.db")}`);
    const bare = await Submissions.start("submission-floor.ts", `file:${join(folder, "floor.db")}`);
    try {
      for (let number = 0; number < rounds + WARM_UP; number++) {
        await service.submit(number);
        await bare.submit(number);
      }
      // What disturbs a round disturbs both, so the rounds are compared one by one.
      const perFloor = median(service.cpus.map((cpu, at) => cpu / bare.cpus[at]!));
      return { ...service.figures(), floor: bare.figures().cpu, perFloor: round(perFloor, 2) };
    } finally {
      service.stop();
      bare.stop();
    }
  });
}

/** @param url an empty database of either engine */
export async function submissionsTo(url: string, rounds: number) {
  const service = await Submissions.start("submission-server.ts", url);
  try {
    for (let number = 0; number < rounds + WARM_UP; number++) await service.submit(number);
    return service.figures();
  } finally {
    service.stop();
  }
}

/** Rounds that do not count, while the JIT compiler is at work. */
const WARM_UP = 3;

/** A server in a process of its own, and what submissions to it have cost. */
class Submissions {
  readonly #server: ChildProcess;
  readonly #address: string;
  readonly #key: string;
  readonly #runs: Figures[] = [];

  private constructor(server: ChildProcess, address: string, key: string) {
    this.#server = server;
    this.#address = address;
    this.#key = key;
  }

  static async start(file: string, url: string): Promise<Submissions> {
    const server = fork(new URL(`./${file}`, import.meta.url), [url], { execArgv: ["--import", "tsx"] });
    const [{ address, key }] = (await once(server, "message")) as [{ address: string; key: string }];
    return new Submissions(server, address, key);
  }

  /** Submits the list of this number twice, once to measure CPU and once to watch the event loop. */
  async submit(number: number): Promise<void> {
    const { wall, cpu, parse } = await this.#measure(2 * number, false);
    const { stall } = await this.#measure(2 * number + 1, true);
    if (number >= WARM_UP) this.#runs.push({ wall, cpu, parse, stall });
  }

  /** ms CPU of each round. */
  get cpus(): number[] {
    return this.#runs.map(({ cpu }) => cpu);
  }

  figures() {
    const of = (name: keyof Figures) => round(median(this.#runs.map((run) => run[name])), 1);
    const ratio = round(median(this.#runs.map((run) => run.cpu / run.parse)), 1);
    return { wall: of("wall"), cpu: of("cpu"), parse: of("parse"), cpuPerParse: ratio, stall: of("stall") };
  }

  stop(): void {
    this.#server.kill();
  }

  async #measure(number: number, watchesLoop: boolean): Promise<Figures> {
    const body = bodyOf(number);
    const { parse } = await this.#ask({ ask: "parse", body });
    // Housekeeping of the round before is over.
    await quiet((message) => this.#ask(message));
    await this.#ask({ ask: "reset", watchesLoop });
    const start = performance.now();
    const response = await fetch(`${this.#address}/api/v1/projects`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
      body,
    });
    const wall = performance.now() - start;
    const { cpu, stall } = await this.#ask({ ask: "read" });
    if (response.status !== 201) throw new Error(await response.text());
    await response.json();
    return { wall, cpu: cpu!, stall: stall!, parse: parse! };
  }

  async #ask(message: MeterMessage): Promise<Record<string, number>> {
    this.#server.send(message);
    const [answer] = await once(this.#server, "message");
    return answer as Record<string, number>;
  }
}

/** Waits until the server has used next to no CPU for a while. */
async function quiet(ask: (message: MeterMessage) => Promise<Record<string, number>>): Promise<void> {
  for (let calm = 0; calm < 2; ) {
    await ask({ ask: "reset" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    calm = (await ask({ ask: "read" })).cpu! < 10 ? calm + 1 : 0;
  }
}
