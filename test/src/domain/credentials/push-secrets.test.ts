import { expect, test } from "vitest";
import {
  isPushSecretOf,
  pushedSite,
  revokePushSecretsOf,
  rotatePushSecret,
} from "../../../../src/domain/credentials/push-secrets.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { verifiedSite } from "../../../support/visits/verified-site.ts";

const store = eachTest(testStore);

test("a site has a push address by its newest secret alone, until the secrets of its account are revoked", async () => {
  const [account, other] = [await store.account(0), await store.account(0)];
  const { id } = await verifiedSite(store, account, "one.example");
  const { id: second } = await verifiedSite(store, account, "two.example");
  const { id: others } = await verifiedSite(store, other, "one.example");
  const rotate = (site: string) => store.db.tx((tx) => rotatePushSecret(tx, site));
  expect(await pushedSite(store.db, id)).toBeNull();
  const [first, next] = [await rotate(id), await rotate(id)];
  const site = (await pushedSite(store.db, id))!;
  expect(site).toMatchObject({ id, accountId: account, host: "one.example" });
  expect([first, next].map((secret) => isPushSecretOf(site, secret))).toEqual([false, true]);
  expect(await pushedSite(store.db, second)).toBeNull();
  await rotate(others);
  await store.db.tx((tx) => revokePushSecretsOf(tx, account));
  expect(await pushedSite(store.db, id)).toBeNull();
  expect(await pushedSite(store.db, others)).toMatchObject({ accountId: other });
});
