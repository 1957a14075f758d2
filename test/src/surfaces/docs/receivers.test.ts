import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newWebhookSecret, signatureHeaders } from "../../../../src/domain/webhooks/secret.ts";
import { WebhookSender } from "../../../../src/domain/webhooks/sender.ts";
import { webhookTargets } from "../../../../src/domain/webhooks/webhook-targets.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { blocksIn } from "../../../support/checks/markdown-blocks.ts";
import { localHttp } from "../../../support/events/sending.ts";
import { hookReceiver } from "../../../support/network/hook-receiver.ts";
import { startExampleService } from "../../../support/service/example-service.ts";
import { shell } from "../../../support/service/run-script.ts";

test("the curl command of the page makes a webhook, shows its secret, and a test message arrives that the secret has signed", async () => {
  const on = await startExampleService("change");
  const receiver = await hookReceiver();
  try {
    const { service, key } = on;
    const { markdown } = documentsOf(service.config).find(({ path }) => path === "/docs/webhooks")!;
    const command = blocksIn(markdown).find(({ language }) => language === "sh")!.text;
    // The host of the example takes no messages.
    const here = command
      .replaceAll(service.config.siteUrl, service.url)
      .replace("https://example.com/hooks/beckon", `${receiver.url}/hooks/beckon`);
    const answer = await shell(here.replace(/^curl /, "curl -sS "), { BECKON_API_KEY: key });
    const { webhook, secret } = JSON.parse(answer);
    expect(webhook).toMatchObject({ object: "webhook", events: ["project.completed"], status: "active" });
    const targets = [webhookTargets(secretBoxOf(service.config))];
    const http = localHttp();
    await new WebhookSender({ ...service, http, targets, log: console }).drain();
    await http.close();
    expect(receiver.received).toHaveLength(1);
    const { path, headers, body } = receiver.received[0]!;
    expect([path, JSON.parse(body).type]).toEqual(["/hooks/beckon", "webhook.ping"]);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    const signature = new Webhook(secret).sign(headers["webhook-id"] as string, at, body);
    expect(headers["webhook-signature"]).toBe(signature);
  } finally {
    await on.service.close();
    await receiver.close();
  }
});

const body = JSON.stringify({ type: "credits.low", timestamp: "2026-01-19T12:30:00.000Z", data: { balance: 88 } });

/** The program of the page in a language. */
function receiverIn(language: string): string {
  const { markdown } = documentsOf(readConfig({})).find(({ path }) => path === "/docs/webhooks")!;
  return blocksIn(markdown).find((block) => block.language === language)!.text;
}

test.each([
  ["JavaScript", process.execPath, ["--input-type=module", "-e", receiverIn("js")]],
  ["Python", "python3", ["-c", receiverIn("python")]],
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
