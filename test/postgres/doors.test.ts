import { afterAll, beforeEach, expect, test } from "vitest";
import { MINUTE } from "../../src/platform/clock.ts";
import { PATHS } from "../../src/surfaces/website/shell/addresses.ts";
import { operations } from "../../tools/index.ts";
import { decideNewest } from "../support/a2a/approvals.ts";
import { belongingsOf, EXAMPLES } from "../support/service/examples.ts";
import { testService } from "../support/service/service.ts";
import { SURFACES } from "../support/service/surface-client.ts";
import { projectOf } from "../support/website/account-fixtures.ts";
import { signedIn } from "../support/website/user.ts";

/**
 * Every operation and every page once on PostgreSQL. What they answer is tested on SQLite; the queries behind them have tests of
 * their own, which run on both databases.
 */

const service = await testService();
afterAll(() => service.close());
const client = SURFACES.REST!(service);
beforeEach(() => service.clock.pass(MINUTE));

/** They wait for a chain (test/src/domain/payments/direct), or need a verified host (test/visits.both.test.ts). */
const ELSEWHERE = ["get_direct_price", "pay_direct", "import_visits"];
const names = operations.map(({ name }) => name).filter((name) => !ELSEWHERE.includes(name));

test.each(names)("2xx %s", async (name) => {
  const { id, key } = await service.account({ credits: 1_000 });
  const own = await belongingsOf(client, key, service);
  const called = () => client.call(name, EXAMPLES[name]!.input(own), { key });
  const first = await called();
  if (first.code === "approval_required") await decideNewest(service, id);
  const { status, body } = first.code === "approval_required" ? await called() : first;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
});

const { user, accountId } = await signedIn(service, { email: "me@example.com" });
await projectOf(service, accountId, ["https://example.com/"]);

test.each(Object.values(PATHS))("200 %s", async (path) => {
  expect((await user.get(path)).status).toBe(200);
});

test("the database made no error", () => {
  expect(service.errors).toEqual([]);
});
