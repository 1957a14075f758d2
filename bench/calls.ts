import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { median, round } from "./support.ts";

/** A server to measure (measured.ts), and a call that is sent to it. */
export interface Contender {
  /** File beside this one. */
  readonly program: string;
  readonly args: readonly string[];
  /** The request of the n-th call, from the facts that the server reported. */
  call(n: number, facts: Facts): { url: string; headers: Record<string, string>; body: string };
  /** Whether the answer is a success. */
  isRight(status: number, text: string): boolean;
}

export interface Facts {
  readonly address: string;
  readonly keys?: readonly string[];
}

/** Calls sent at the same time to one server. */
const AT_ONCE = 10;

/**
 * CPU of each contender's process for one call, in µs: medians of `rounds`, each of `calls` calls to every contender, after
 * one round that warms up. The contenders are measured alternately, so that other load on the machine affects all of them.
 */
export async function cpuPerCall(contenders: Readonly<Record<string, Contender>>, rounds: number, calls: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const running = await Promise.all(
    Object.entries(contenders).map(async ([name, contender]) => {
      const process = fork(new URL(contender.program, import.meta.url), contender.args, {
        execArgv: ["--import", "tsx"],
      });
      const [facts] = (await once(process, "message")) as [Facts];
      return { name, contender, process, facts, figures: [] as number[], made: 0 };
    }),
  );
  try {
    for (let turn = 0; turn <= rounds; turn++) {
      for (const one of running) {
        await ask(one.process, "reset");
        const last = one.made + calls;
        const worker = async () => {
          while (one.made < last) await callOnce(agent, one.contender, one.made++, one.facts);
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
        const { cpuUs } = await ask(one.process, "read");
        if (turn > 0) one.figures.push(cpuUs / calls);
      }
    }
    return Object.fromEntries(running.map(({ name, figures }) => [name, round(median(figures), 0)]));
  } finally {
    for (const { process } of running) process.kill();
    agent.destroy();
  }
}

async function ask(process: ReturnType<typeof fork>, message: "reset" | "read"): Promise<{ cpuUs: number }> {
  process.send(message);
  const [answer] = (await once(process, "message")) as [{ cpuUs: number }];
  return answer;
}

function callOnce(agent: Agent, contender: Contender, n: number, facts: Facts): Promise<void> {
  const { url, headers, body } = contender.call(n, facts);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers: { "Content-Type": "application/json", ...headers } });
    sent.on("error", reject).on("response", (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (piece) => (text += piece))
        .on("end", () => {
          if (contender.isRight(response.statusCode!, text)) resolve();
          else reject(new Error(`${contender.program} answered ${response.statusCode}: ${text.slice(0, 500)}`));
        });
    });
    sent.end(body);
  });
}
