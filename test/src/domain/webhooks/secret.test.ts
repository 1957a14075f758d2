import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newWebhookSecret, signatureHeaders } from "../../../../src/domain/webhooks/secret.ts";

const body = '{"type":"credits.low","timestamp":"2026-01-05T12:00:00.000Z","data":{"balance":99,"threshold":100}}';
const message = (at: number) => ({ id: "evt_0123456789abcdefghjk_1", at, body });

test("the stock verifier of Standard Webhooks accepts a message, and no other body, id, time or secret", () => {
  const secret = newWebhookSecret();
  const headers = signatureHeaders(message(Date.now()), [secret]);
  const verifier = new Webhook(secret);
  expect(verifier.verify(body, headers)).toMatchObject({ type: "credits.low" });
  expect(() => verifier.verify(`${body} `, headers)).toThrow();
  expect(() => verifier.verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow();
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
  const old = signatureHeaders(message(Date.now() - 10 * 60_000), [secret]);
  expect(() => verifier.verify(body, old)).toThrow();
});

test("while a secret is rotated, whoever knows the old one or the new one accepts a message", () => {
  const [fresh, old] = [newWebhookSecret(), newWebhookSecret()];
  const headers = signatureHeaders(message(Date.now()), [fresh, old]);
  for (const secret of [fresh, old]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
});

test("a secret is whsec_ and the base64 of 32 random bytes", () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(secret);
});
