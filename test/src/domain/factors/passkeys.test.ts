import { expect, test } from "vitest";
import { deletePasskey, passkeysOf, renamePasskey } from "../../../../src/domain/factors/passkeys.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const t = eachTest(testStore);

test("a passkey is renamed and deleted by its own account alone", async () => {
  const [accountId, stranger] = [await t.account(0), await t.account(0)];
  const key = { credentialId: "one", publicKey: "key", signCount: 0, transports: "", isBackedUp: false, name: "Phone" };
  await t.db.tx(async (tx) => {
    await tx.q.insert(tx.t.passkeys).values({ ...key, id: "psk_1", accountId, createdAt: t.clock.now() });
  });
  const rename = (owner: string) =>
    t.db.tx((tx) => renamePasskey(tx, { accountId: owner, id: "psk_1", name: "Laptop" }));
  expect([await rename(stranger), await rename(accountId)]).toEqual([false, true]);
  expect((await passkeysOf(t.db, accountId)).map(({ name }) => name)).toEqual(["Laptop"]);
  const remove = (owner: string) => t.db.tx((tx) => deletePasskey(tx, { accountId: owner, id: "psk_1" }));
  expect(await remove(stranger)).toBeNull();
  expect(await remove(accountId)).toMatchObject({ name: "Laptop" });
  expect(await passkeysOf(t.db, accountId)).toEqual([]);
});
