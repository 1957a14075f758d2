import { expect, test } from "vitest";
import { ProviderBook } from "../../../../src/indexing/providers/book.ts";
import { UpstreamFailure } from "../../../../src/indexing/providers/failure.ts";
import { forgetFailuresOf, purgeSiteFailures } from "../../../../src/indexing/providers/purge.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { anyQuota } from "../../../support/indexing/any-quota.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("failures of sites are deleted after a month; the state of a provider is kept", async () => {
  const book = new ProviderBook(store.db, store.clock);
  const fail = (site: string | null, kind: "key_refused" | "unauthorized") =>
    store.db.tx((tx) => book.note(tx, anyQuota("p", { site }), {}, new UpstreamFailure("p", kind)));
  await fail(null, "unauthorized");
  await fail("old.example", "key_refused");
  store.clock.pass(20 * DAY);
  await fail("new.example", "key_refused");
  store.clock.pass(11 * DAY);
  await purgeSiteFailures(store.db, store.clock.now());
  const names = (await store.db.q.select().from(store.db.t.providers)).map(({ name }) => name);
  expect(names.sort()).toEqual(["p", "p new.example"]);
});

test("the failures of a connection that is made again are forgotten, at all providers and sites; those of others stay", async () => {
  const book = new ProviderBook(store.db, store.clock);
  const fail = (provider: string, credential: string, kind: "not_owner" | "unauthorized") => {
    const quota = anyQuota(provider, { site: "one.example", credential });
    return store.db.tx((tx) => book.note(tx, quota, {}, new UpstreamFailure(provider, kind)));
  };
  for (const credential of ["con_ann", "con_ben"]) {
    await fail("p", credential, "unauthorized");
    await fail("q", credential, "not_owner");
  }
  await store.db.tx((tx) => forgetFailuresOf(tx, "con_ann"));
  const names = (await store.db.q.select().from(store.db.t.providers)).map(({ name }) => name);
  expect(names.sort()).toEqual(["p con_ben", "q one.example con_ben"]);
});
