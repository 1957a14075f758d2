import { beforeEach, expect, test } from "vitest";
import { connectionsOf, secretOf } from "../../../../src/domain/connections/connections.ts";
import { replaceSecret, saveConnection } from "../../../../src/domain/connections/save.ts";
import { connectionBox as box, newConnection } from "../../../support/database/connections.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const made = (subject: string) => newConnection(accountId, subject, store.clock.now());

test("a token that comes in place of another one is sealed for its own connection alone", async () => {
  const [one, other] = await store.db.tx(async (tx) => [
    await saveConnection(tx, box, made("ann")),
    await saveConnection(tx, box, made("ben")),
  ]);
  await store.db.tx((tx) => replaceSecret(tx, box, one!, "second"));
  const rows = await connectionsOf(store.db, accountId);
  const secrets = Object.fromEntries(rows.map((row) => [row.id, secretOf(box, row)]));
  expect(secrets).toEqual({ [one!]: "second", [other!]: "first" });
  expect(rows.map(({ sealedSecret }) => sealedSecret).join()).not.toMatch(/first|second/);
});
