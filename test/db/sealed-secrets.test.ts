import { expect, test } from "vitest";
import { movedTables } from "../../db/moving/tables.ts";
import { checkSealedSecrets, resealSecrets, sealedColumnNames } from "../../db/sealed-secrets.ts";
import { authenticatorAppOf } from "../../src/domain/factors/authenticator-app.ts";
import { SecretBox } from "../../src/platform/secret-box.ts";
import { ownerOf } from "../support/database/people.ts";
import { testStore } from "../support/database/store.ts";
import { eachTest } from "../support/service/each-test.ts";
import { giveFactors } from "../support/website/factors.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const boxWith = (...keys: Buffer[]) => new SecretBox(() => keys);

const store = eachTest(testStore);

test("law: every column whose name begins with sealed_ is checked by the doctor and sealed again", () => {
  const columns = movedTables().flatMap(({ name, columns: own }) => own.map((column) => `${name}.${column.name}`));
  expect(sealedColumnNames(store.db)).toEqual(columns.filter((name) => name.includes(".sealed_")));
});

test("a rotation of the key seals all secrets again, and then the old key is not needed", async () => {
  const accountId = await store.account(0);
  await giveFactors(store, boxWith(OLD), accountId);
  const rotating = boxWith(NEW, OLD);
  expect(await checkSealedSecrets(store.db, rotating)).toEqual({ total: 1, old: 1, unreadable: [] });
  expect(await resealSecrets(store.db, rotating)).toBe(1);
  expect(await resealSecrets(store.db, rotating)).toBe(0);
  expect(await checkSealedSecrets(store.db, boxWith(NEW))).toEqual({ total: 1, old: 0, unreadable: [] });
});

test("a secret that cannot be opened is named, and stays as it is", async () => {
  const accountId = await store.account(0);
  await giveFactors(store, boxWith(OLD), accountId);
  const personId = await ownerOf(store.db, accountId);
  const before = await authenticatorAppOf(store.db, personId);
  expect(await checkSealedSecrets(store.db, boxWith(NEW))).toMatchObject({
    unreadable: [expect.stringMatching(new RegExp(`^authenticator_apps ${personId}: it is sealed with the key`))],
  });
  expect(await resealSecrets(store.db, boxWith(NEW))).toBe(0);
  expect(await authenticatorAppOf(store.db, personId)).toEqual(before);
});
