import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookError } from "../../../packages/client/src/index.ts";
import { newWebhookSecret, signatureHeaders } from "../../../src/domain/webhooks/secret.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
const body = JSON.stringify({
  type: "credits.low",
  timestamp: "2026-03-01T11:59:58Z",
  data: { balance: 3, note: "é" },
});
const secret = newWebhookSecret();
const signed = (secrets = [secret], at = now) => signatureHeaders({ id: "evt_1", at, body }, secrets);

test.each([
  ["headers of fetch", new Headers(signed()), body],
  ["headers of node:http", signed(), Buffer.from(body)],
  [
    "headers in capitals",
    {
      "Webhook-Id": "evt_1",
      "Webhook-Timestamp": signed()["webhook-timestamp"],
      "Webhook-Signature": signed()["webhook-signature"],
    },
    body,
  ],
  ["a signature by each of two secrets", signed([newWebhookSecret(), secret]), body],
])("takes a message with %s", async (_, headers, content) => {
  const message = await verifyWebhook({ headers, body: content, secret, now });
  expect(message).toEqual({ id: "evt_1", ...JSON.parse(body) });
});

test("takes what the library of Standard Webhooks signs, and either of two secrets", async () => {
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(now / 1_000),
    "webhook-signature": new Webhook(secret).sign("evt_1", new Date(now), body),
  };
  expect(await verifyWebhook({ headers, body, secret: [newWebhookSecret(), secret], now })).toHaveProperty(
    "id",
    "evt_1",
  );
});

test.each([
  ["another secret", { secret: newWebhookSecret() }, "No signature"],
  ["another body", { body: body.replace("3", "4") }, "No signature"],
  ["another id", { headers: { ...signed(), "webhook-id": "evt_2" } }, "No signature"],
  ["a time long ago", { headers: signed([secret], now - 301_000) }, "too old"],
  ["a time to come", { headers: signed([secret], now + 301_000) }, "too old"],
  ["a time that is none", { headers: { ...signed(), "webhook-timestamp": "1e9" } }, "too old"],
  ["no signature", { headers: { ...signed(), "webhook-signature": undefined } }, "webhook-signature is missing"],
  ["a signature of another version", { headers: { ...signed(), "webhook-signature": "v2,AAAA" } }, "No signature"],
  ["a signature that is no base64", { headers: { ...signed(), "webhook-signature": "v1,%%%" } }, "No signature"],
  ["a secret that is none", { secret: "whsec_" }, "The secret has to be"],
])("refuses a message with %s", async (_, change, words) => {
  const thrown = await verifyWebhook({ headers: signed(), body, secret, now, ...change }).catch((error) => error);
  expect(thrown).toBeInstanceOf(WebhookError);
  expect(thrown.message).toContain(words);
});

test("refuses a body that is not the JSON of an event, although it is signed", async () => {
  const headers = signatureHeaders({ id: "evt_1", at: now, body: "[]" }, [secret]);
  await expect(verifyWebhook({ headers, body: "[]", secret, now })).rejects.toThrow("not the JSON of an event");
});
