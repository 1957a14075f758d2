import { expect, test } from "vitest";
import {
  acceptInvitation,
  createInvitation,
  invitationsOf,
  revokeInvitation,
} from "../../../../src/domain/people/invitations.ts";
import { ownerOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("an invitation is taken back once, by its own account alone, and cannot be accepted after that", async () => {
  const [account, other] = [await store.account(0), await store.account(0)];
  const [personId, now] = [await ownerOf(store.db, account), store.clock.now()];
  const invite = (email: string) =>
    store.db.tx((tx) => createInvitation(tx, { accountId: account, email, role: "viewer", personId, now }));
  await invite("ann@example.com");
  await invite("ben@example.com");
  const open = () => invitationsOf(store.db, account, store.clock.now());
  const { id } = (await open()).find(({ email }) => email === "ann@example.com")!;
  const revoke = (accountId: string) => store.db.tx((tx) => revokeInvitation(tx, accountId, id));
  expect(await revoke(other)).toBeNull();
  expect(await revoke(account)).toMatchObject({ id, accountId: account, email: "ann@example.com", role: "viewer" });
  expect(await revoke(account)).toBeNull();
  const guest = await ownerOf(store.db, other);
  const accept = store.db.tx((tx) => acceptInvitation(tx, { id, email: "ann@example.com", personId: guest, now }));
  expect(await accept).toBeNull();
  expect((await open()).map(({ email }) => email)).toEqual(["ben@example.com"]);
});
