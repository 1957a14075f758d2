import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isBuilt } from "../../../scripts/prepare.mjs";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { type PostgresServer, startPostgres } from "../database/postgres-server.ts";
import { freePort } from "../network/free-port.ts";
import { type PostgresProxy, startPostgresProxy } from "./postgres-proxy.ts";
import { ROUND, type RoundNote } from "./scheduler-invariants.ts";

export interface ClusterOptions {
  readonly nodes: number;
  /** Settings of every node. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a node holds its claims without renewing them, in ms. */
  readonly leaseMs: number;
  /** How far the clock of each node's machine is off, in ms. */
  readonly clocksOff?: readonly number[];
}

/** Several processes of the service on one PostgreSQL, each with a network of its own to it. */
export interface Cluster {
  readonly server: PostgresServer;
  /** DATABASE_URL, with no proxy between. */
  readonly url: string;
  readonly nodes: readonly ServiceNode[];
  /** Ends everything, whatever state it is in. */
  close(): Promise<void>;
}

/** Compiled, where that is up to date, which starts more than twice as fast as the sources do. */
const compiled = isBuilt();
const PROGRAM = [
  ...(compiled ? [] : ["--import", "tsx"]),
  join(import.meta.dirname, "node.mjs"),
  pathToFileURL(join(packageRoot, compiled ? "dist/src/" : "src/")).href,
  compiled ? ".js" : ".ts",
];

/** A line of a node's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/** When something was done to a node, in ms since 1970. */
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

/** How often a node may end by itself before it is given up. */
const MOST_ENDS = 5;

/** One process of the service, started again and again at the same address. */
export class ServiceNode {
  readonly index: number;
  readonly proxy: PostgresProxy;
  readonly address: string;
  /** Warnings and errors of all its runs. */
  readonly log: LogLine[] = [];
  /** What it said that is no log line: an end that nobody asked for. */
  readonly noise: string[] = [];
  /** What all its runs have said of their rounds. */
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
    const shift = `const right = Date.now; Date.now = () => right() + ${clockOff};`;
    const before = clockOff === 0 ? [] : ["--import", `data:text/javascript,${encodeURIComponent(shift)}`];
    this.#args = [...before, ...PROGRAM, JSON.stringify({ leaseMs, round: ROUND })];
  }

  /** Starts it, again and again while its database is away, and waits until it serves. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, this.#args, {
      cwd: packageRoot,
      env: this.#env as NodeJS.ProcessEnv,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#process = child;
    child.stdin!.on("error", () => undefined);
    let said = "";
    createInterface({ input: child.stderr! }).on("line", (line) => {
      if (line.startsWith("{")) this.log.push(JSON.parse(line));
      else said += `${line}\n`;
    });
    const lines = createInterface({ input: child.stdout! });
    const serves = once(lines, "line").then(() => true);
    lines.on("line", (line) => {
      const { round } = JSON.parse(line);
      if (round) this.rounds.push({ ...round, at: Date.now() });
    });
    const ended = once(child, "exit").then(([code, signal]) => {
      if (said !== "" && signal === null && code !== 0) this.noise.push(said);
      return false;
    });
    if ((await Promise.race([serves, ended])) || this.#process !== child) return;
    if (this.noise.length > MOST_ENDS) throw new Error(`node ${this.index} does not start: ${this.noise.at(-1)}`);
    await sleep(300);
    if (this.#process === child) await this.start();
  }

  /** As a machine that loses power. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** As `systemctl stop`. @returns its exit code */
  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Nothing moves in it, and nobody is told. */
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
      // Its last words have been heard by then.
      const ended = once(child, "close");
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  }
}
