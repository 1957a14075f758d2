import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { type PostgresServer, startPostgres } from "../database/postgres-server.ts";
import { freePort } from "../network/free-port.ts";
import { BUNDLE } from "../service/beckon-command.ts";
import { type PostgresProxy, startPostgresProxy } from "./postgres-proxy.ts";
import { ROUND, type RoundNote } from "./scheduler-invariants.ts";

export interface ClusterOptions {
  readonly nodes: number;
  /** Settings of every node. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a node holds its claims without renewing them, in ms. */
  readonly leaseMs: number;
  /** Offset of each node's clock, in ms. */
  readonly clocksOff?: readonly number[];
}

/** Several processes of the service on one PostgreSQL, each behind a proxy that can disturb its connections. */
export interface Cluster {
  readonly server: PostgresServer;
  /** DATABASE_URL without a proxy. */
  readonly url: string;
  readonly nodes: readonly ServiceNode[];
  /** Stops everything, in whichever state it is. */
  close(): Promise<void>;
}

const PROGRAM = [join(import.meta.dirname, "node.mjs"), `${pathToFileURL(BUNDLE).href}/`];

/** A line of a node's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/** A time in which a fault was injected into a node, in ms since 1970. */
interface Disturbance {
  readonly from: number;
  readonly until: number;
}

export async function startCluster({
  nodes: count,
  settings = {},
  leaseMs,
  clocksOff = [],
}: ClusterOptions): Promise<Cluster> {
  const server = await startPostgres({ durable: true });
  const url = await server.create("beckon");
  const nodes: ServiceNode[] = [];
  for (let index = 0; index < count; index++) {
    const proxy = await startPostgresProxy(server.port);
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: proxy.through(url),
      PORT: String(await freePort()),
      LOG_LEVEL: "warn",
      ...settings,
    };
    nodes.push(new ServiceNode(index, proxy, env, { leaseMs, clockOff: clocksOff[index] ?? 0 }));
  }
  return {
    server,
    url,
    nodes,
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await server.stop();
    },
  };
}

/** How often a node may exit by itself before it is given up. */
const MAX_EXITS = 5;

/** One process of the service, which can be restarted at the same address. */
export class ServiceNode {
  readonly index: number;
  readonly proxy: PostgresProxy;
  readonly address: string;
  /** Warnings and errors of all its runs. */
  readonly log: LogLine[] = [];
  /** Output other than log lines, of exits that nobody asked for. */
  readonly noise: string[] = [];
  /** Slots of the recurring job, as all its runs reported them. */
  readonly rounds: RoundNote[] = [];
  readonly disturbances: Disturbance[] = [];
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #args: readonly string[];
  #process: ChildProcess | null = null;

  constructor(
    index: number,
    proxy: PostgresProxy,
    env: Readonly<Record<string, string | undefined>>,
    { leaseMs, clockOff }: { leaseMs: number; clockOff: number },
  ) {
    this.index = index;
    this.proxy = proxy;
    this.address = `http://127.0.0.1:${env.PORT}`;
    this.#env = env;
    const shift = `const now = Date.now; Date.now = () => now() + ${clockOff};`;
    const before = clockOff === 0 ? [] : ["--import", `data:text/javascript,${encodeURIComponent(shift)}`];
    this.#args = [...before, ...PROGRAM, JSON.stringify({ leaseMs, round: ROUND })];
  }

  /** Starts the process, again while its database is unreachable, and waits until it serves. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, this.#args, {
      cwd: packageRoot,
      env: this.#env as NodeJS.ProcessEnv,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#process = child;
    child.stdin!.on("error", () => undefined);
    let output = "";
    createInterface({ input: child.stderr! }).on("line", (line) => {
      if (line.startsWith("{")) this.log.push(JSON.parse(line));
      else output += `${line}\n`;
    });
    const lines = createInterface({ input: child.stdout! });
    const serves = once(lines, "line").then(() => true);
    lines.on("line", (line) => {
      const { round } = JSON.parse(line);
      if (round) this.rounds.push({ ...round, at: Date.now() });
    });
    const ended = once(child, "exit").then(([code, signal]) => {
      if (output !== "" && signal === null && code !== 0) this.noise.push(output);
      return false;
    });
    if ((await Promise.race([serves, ended])) || this.#process !== child) return;
    if (this.noise.length > MAX_EXITS) throw new Error(`node ${this.index} does not start: ${this.noise.at(-1)}`);
    await sleep(300);
    if (this.#process === child) await this.start();
  }

  /** Kills the process, as a power cut would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Stops the process as `systemctl stop` does. @returns its exit code */
  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Suspends the process without notice. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }

  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  async close(): Promise<void> {
    await this.kill();
    await this.proxy.close();
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process;
    this.#process = null;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      // "close" comes after all output has been read.
      const ended = once(child, "close");
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  }
}
