import { expect, test } from "vitest";
import { deletePasskey, passkeysOf, renamePasskey } from "../../../../src/domain/factors/passkeys.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const t = eachTest(testStore);

test("a passkey is renamed and deleted by its own person alone", async () => {
  const [personId, stranger] = ["per_ann", "per_bob"];
  const key = { credentialId: "one", publicKey: "key", signCount: 0, transports: "", isBackedUp: false, name: "Phone" };
  await t.db.tx(async (tx) => {
    await tx.q.insert(tx.t.passkeys).values({ ...key, id: "psk_1", personId, createdAt: t.clock.now() });
  });
  const rename = (owner: string) =>
    t.db.tx((tx) => renamePasskey(tx, { personId: owner, id: "psk_1", name: "Laptop" }));
  expect([await rename(stranger), await rename(personId)]).toEqual([false, true]);
  expect((await passkeysOf(t.db, personId)).map(({ name }) => name)).toEqual(["Laptop"]);
  const remove = (owner: string) => t.db.tx((tx) => deletePasskey(tx, { personId: owner, id: "psk_1" }));
  expect(await remove(stranger)).toBeNull();
  expect(await remove(personId)).toMatchObject({ name: "Laptop" });
  expect(await passkeysOf(t.db, personId)).toEqual([]);
});
