import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isNotNull } from "drizzle-orm";
import { afterAll } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { testDatabase } from "../database/database.ts";
import { PROGRAM } from "../service/beckon-command.ts";

/** Starts services in processes of their own over one database, which tests can kill at any moment. */
export async function killableServices(settings: Readonly<Record<string, string>>) {
  const database = await testDatabase();
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    PORT: "0",
    LOG_LEVEL: "silent",
    ...settings,
  };
  const running = new Set<ChildProcess>();
  afterAll(async () => {
    for (const process of running) process.kill("SIGKILL");
    await database.drop();
  });

  function start(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [...PROGRAM, ...args], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    return child;
  }

  /** Runs a command. @returns its standard output */
  async function beckon(...args: string[]): Promise<string> {
    const process = start(...args);
    let output = "";
    process.stdout!.on("data", (chunk) => {
      output += chunk;
    });
    await once(process, "close");
    return output;
  }

  return {
    databaseUrl: env.DATABASE_URL,
    beckon,
    async serve() {
      const process = start("serve", "--json");
      const [line] = await once(createInterface({ input: process.stdout! }), "line");
      return { process, address: JSON.parse(line).address as string };
    },
    /** Ends the leases of processes that were killed, as the time that passes would. No process may be running. */
    async expireLeases(): Promise<void> {
      const db = await openDatabase(env.DATABASE_URL);
      const { directPayments, idempotency, steps } = db.t;
      await db.tx(async (tx) => {
        await tx.q.update(steps).set({ leaseUntil: 0 }).where(isNotNull(steps.leaseUntil));
        await tx.q.update(idempotency).set({ lockedUntil: 0 });
        await tx.q.update(directPayments).set({ lockedUntil: 0 });
      });
      await db.close();
    },
    /** Creates an account with many credits. @returns its key */
    async account(name: string): Promise<string> {
      const options = ["--email", `${name}@example.com`, "--credits", "1000000", "--paid", "--key", name, "--json"];
      return JSON.parse(await beckon("account", "create", ...options)).api_key;
    },
  };
}
