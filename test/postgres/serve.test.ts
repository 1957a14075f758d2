import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type PostgresServer, startPostgres } from "../support/database/postgres-server.ts";
import { beckonProcess } from "../support/service/beckon-process.ts";
import { beckon } from "../support/service/cli.ts";

/** A server of this file's own, which can be away; its password is one that can be looked for. */
async function server(): Promise<{ postgres: PostgresServer; env: NodeJS.ProcessEnv }> {
  const postgres = await startPostgres({ durable: true });
  onTestFinished(() => postgres.stop());
  const url = new URL(await postgres.create("beckon"));
  url.password = PASSWORD;
  return { postgres, env: { DATABASE_URL: url.href, PORT: "0" } };
}

const PASSWORD = "correct-horse-battery";

test("serve waits for a PostgreSQL that is down, says so once, and serves when it is up; no password is printed", async () => {
  const { postgres, env } = await server();
  await postgres.halt();
  const service = beckonProcess(env, "serve", "--json");
  await expect.poll(() => service.seen.err, { timeout: 40_000 }).toContain("waiting for it");
  await postgres.restart();
  const { address } = JSON.parse(await service.firstLine());
  expect((await fetch(`${address}/readyz`)).status).toBe(200);

  await postgres.halt();
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 20_000 }).toBe(503);
  // A server that is going down refuses first.
  const checks = async () => ((await (await fetch(`${address}/readyz`)).json()) as { checks: object }).checks;
  await expect.poll(checks, { timeout: 20_000 }).toMatchObject({ database: "no_answer" });
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await fetch(`${address}/metrics`)).status).toBe(200);
  await postgres.restart();
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 20_000 }).toBe(200);

  service.child.kill("SIGTERM");
  const { code, out, err } = await service.exited;
  expect(code).toBe(0);
  expect(err.match(/waiting for it/g)).toHaveLength(1);
  expect(out + err).not.toContain(PASSWORD);
});

test("exit 1: other commands do not wait, and say in one line what is wrong", async () => {
  const { postgres, env } = await server();
  await postgres.halt();
  const { code, err } = await beckon(env, "audit");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^beckon: DATABASE_URL, PostgreSQL at 127\.0\.0\.1:\d+: PostgreSQL does not answer: the connection was refused\.\n$/,
  );
  expect(err).not.toContain(PASSWORD);
});

test("exit 1 at once where waiting does not help", async () => {
  const { env } = await server();
  const nowhere = env.DATABASE_URL!.replace("/beckon", "/elsewhere");
  const { code, err } = await beckon({ ...env, DATABASE_URL: nowhere }, "serve");
  expect([code, err]).toEqual([
    1,
    'beckon: PostgreSQL at 127.0.0.1 has no database "elsewhere". Make it with: createdb elsewhere\n',
  ]);
});

test("a server that accepts connections and does not answer is not ready within 2 s", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  const sockets = new Set<Socket>();
  silent.on("connection", (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await new Promise((resolve) => silent.once("listening", resolve));
  const { reopenDatabase } = await import("../../db/open.ts");
  const { ReadinessProbe } = await import("../../src/process/health/readiness.ts");
  const { port } = silent.address() as { port: number };
  const db = await reopenDatabase(`postgres://u@127.0.0.1:${port}/d`, {});
  const begun = performance.now();
  expect(await new ReadinessProbe(db).check()).toMatchObject({ ready: false, checks: { database: "no_answer" } });
  expect(performance.now() - begun).toBeLessThan(4_000);
});
