import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { newWebhookSecret, signatureHeaders } from "../../../../src/domain/webhooks/secret.ts";
import { JAVASCRIPT_RECEIVER, PYTHON_RECEIVER } from "../../../../src/surfaces/docs/receivers.ts";

const body = JSON.stringify({ type: "credits.low", timestamp: "2026-01-19T12:30:00.000Z", data: { balance: 88 } });

test.each([
  ["JavaScript", process.execPath, ["--input-type=module", "-e", JAVASCRIPT_RECEIVER]],
  ["Python", "python3", ["-c", PYTHON_RECEIVER]],
])("the receiver in %s takes what is genuine, each message once, and refuses the rest", async (_, command, args) => {
  const secret = newWebhookSecret();
  const env = { PATH: process.env.PATH, BECKON_WEBHOOK_SECRET: secret, PORT: "0" };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const line = async () => (await lines.next()).value as string;
    const port = (await line()).replace("listening ", "");
    const post = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/hook`, { method: "POST", headers, body })).status;
    const signed = (id: string, at = Date.now()) => signatureHeaders({ id, at, body }, [newWebhookSecret(), secret]);
    expect(await post({})).toBe(400);
    expect(await post({ ...signed("evt_1"), "webhook-id": "evt_2" })).toBe(400);
    expect(await post(signatureHeaders({ id: "evt_1", at: Date.now(), body }, [newWebhookSecret()]))).toBe(400);
    expect(await post(signed("evt_1", Date.now() - 10 * 60_000))).toBe(400);
    expect(await post(signed("evt_1"))).toBe(204);
    expect(await post(signed("evt_1"))).toBe(204);
    expect(await post(signed("evt_3"))).toBe(204);
    expect([await line(), await line()].map((text) => text.split(" ")[0])).toEqual(["credits.low", "credits.low"]);
  } finally {
    child.kill();
    await once(child, "exit");
  }
});
