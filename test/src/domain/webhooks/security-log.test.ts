import { afterAll, expect, test } from "vitest";
import { disableWebhook, findWebhook } from "../../../../src/domain/webhooks/webhooks.ts";
import { securityLogOf } from "../../../support/database/people.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());

test("the security log says what happened to a webhook and by which credential, but not its path; a call that changes nothing is not in it", async () => {
  const { id: accountId, key } = await service.account({ credits: 1 });
  const save = async (body: object) => (await service.request("POST", "/webhooks", { key, body })).json.webhook;
  const { id: webhook_id } = await save({ url: "http://127.0.0.1:9/secret-path" });
  await save({ url: "http://127.0.0.1:9/secret-path" });
  await save({ webhook_id, ping: true });
  await save({ webhook_id, status: "paused", description: "x" });
  await save({ webhook_id, status: "active", rotate_secret: true });
  const row = await findWebhook(service.db, accountId, webhook_id);
  await service.db.tx((tx) => disableWebhook(tx, row, "gone", service.clock.now()));
  await service.request("DELETE", `/webhooks/${webhook_id}`, { key });
  const { rows } = await securityLogOf(service.db, accountId, { limit: 100, offset: 0 });
  const log = rows.filter(({ kind }) => kind.startsWith("webhook_")).reverse();
  expect(log.map(({ kind }) => kind)).toEqual([
    "webhook_made",
    "webhook_changed",
    "webhook_changed",
    "webhook_secret_replaced",
    "webhook_disabled",
    "webhook_deleted",
  ]);
  expect(log.map(({ subject }) => subject)).toEqual(Array(6).fill("http://127.0.0.1:9"));
  expect(log.map(({ credentialName }) => credentialName)).toEqual([...Array(4).fill("test"), null, "test"]);
});
