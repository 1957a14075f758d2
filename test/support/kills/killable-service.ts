import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, gt, isNotNull } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { PROGRAM } from "../service/beckon-command.ts";

/** A process that serves. */
export interface Serving {
  readonly address: string;
  kill(): void;
  /** Lets it finish what it is doing. */
  stop(): Promise<void>;
}

/** What a process does before it is killed, and when that is. */
export interface Life {
  /** Ends when the process is dead, or when nothing is left to do. */
  readonly work: Promise<unknown>;
  /** Whether the moment has come. @param isOver whether the work has ended */
  readonly isReached: (isOver: boolean) => boolean | Promise<boolean>;
  /** How many ms after the moment it is killed. */
  readonly ms?: () => number;
  /** How many ms the moment is waited for. Default: 30 s. */
  readonly longestMs?: number;
}

/** A process that works until it is killed. */
interface Victim {
  kill(): void;
  isDead(): boolean;
}

/** Lets a process do its work, and kills it at its moment. @returns whether the moment has come */
export async function killAt(victim: Victim, { work, isReached, ms = () => 0, longestMs = 30_000 }: Life) {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const deadline = performance.now() + longestMs;
  let hasCome = false;
  while (!hasCome && !victim.isDead() && performance.now() < deadline) {
    hasCome = await isReached(isOver);
    if (!hasCome) await sleep(2);
  }
  await sleep(ms());
  victim.kill();
  await over;
  return hasCome;
}

/** Starts processes over one database, and kills each at a moment of its life. */
export class KillableService {
  readonly #env: NodeJS.ProcessEnv;
  readonly #running = new Set<Serving>();

  constructor(databaseUrl: string, settings: Readonly<Record<string, string>> = {}) {
    const given = { PORT: "0", LOG_LEVEL: "silent", ...settings };
    this.#env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ...given };
  }

  /** @throws Error if the process ends before it listens */
  async start(): Promise<Serving> {
    const child = this.#spawn("serve", "--json");
    const ended = once(child, "exit");
    const died = ended.then(([code]) => Promise.reject(new Error(`the service ended with ${code}`)));
    died.catch(() => undefined);
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), died]);
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await ended;
    };
    const serving = {
      address: JSON.parse(line).address as string,
      kill: () => void child.kill("SIGKILL"),
      stop: () => end("SIGTERM"),
    };
    this.#running.add(serving);
    void ended.then(() => this.#running.delete(serving));
    return serving;
  }

  /** One life: a process is started, does its work, and is killed at its moment. @returns whether the moment has come */
  async live(begin: (serving: Serving) => Life | Promise<Life>): Promise<boolean> {
    const serving = await this.start();
    const victim = { kill: serving.kill, isDead: () => !this.#running.has(serving) };
    return killAt(victim, await begin(serving));
  }

  /** Runs a command. @returns its standard output */
  async command(...args: string[]): Promise<string> {
    const child = this.#spawn(...args);
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await once(child, "close");
    return output;
  }

  /** Creates an account with many credits. @returns its key */
  async account(name: string): Promise<string> {
    const options = ["--email", `${name}@example.com`, "--credits", "1000000", "--paid", "--key", name, "--json"];
    return JSON.parse(await this.command("account", "create", ...options)).api_key;
  }

  /** Kills what is running still. */
  close(): void {
    for (const serving of this.#running) serving.kill();
  }

  #spawn(...args: string[]) {
    return spawn(process.execPath, [...PROGRAM, ...args], { env: this.#env, stdio: ["ignore", "pipe", "inherit"] });
  }
}

/** Ends the leases of killed processes, and the delays after failed attempts, as the time that passes would. */
export async function endLeases(db: Engine): Promise<void> {
  const { steps, idempotency, directPayments, mailQueue, tasks, webhookDeliveries: deliveries } = db.t;
  await db.tx(async ({ q }) => {
    await q.update(steps).set({ leaseUntil: 0 }).where(isNotNull(steps.leaseUntil));
    await q.update(idempotency).set({ lockedUntil: 0 });
    await q.update(directPayments).set({ lockedUntil: 0 });
    await q.update(mailQueue).set({ nextAt: 0 });
    await q.update(tasks).set({ resumeAt: 0 }).where(gt(tasks.resumeAt, 0));
    const free = { lease: null, leaseUntil: null, nextAt: 0 };
    await q.update(deliveries).set(free).where(eq(deliveries.status, "pending"));
  });
}
