import { expect, test } from "vitest";
import {
  addPasskey,
  registrationOptions,
  verifyRegistration,
} from "../../../../src/domain/factors/register-passkey.ts";
import { authenticationOptions } from "../../../../src/domain/factors/verify-passkey.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { type AssertionChanges, TestPasskey } from "../../../support/website/test-passkey.ts";
import { visitor } from "../../../support/website/test-users.ts";

const store = eachTest(testStore);
const RP = { id: "beckon.test", origin: "https://beckon.test" };
const ANN = visitor("ann's laptop").hash;

const person = { id: "per_ann", email: "ann@example.com" };
const given = (visitorHash = ANN) =>
  registrationOptions(store.db, { person, relyingParty: RP, visitorHash, now: store.clock.now() });
const verified = (response: string, visitorHash = ANN) =>
  verifyRegistration(store.db, { response, relyingParty: RP, visitorHash, now: store.clock.now() });

test.each<[string, AssertionChanges]>([
  ["the passkey of another site", { rpId: "evil.example", origin: "https://evil.example" }],
  ["another origin", { origin: "https://beckon.test.evil.example" }],
  ["another origin of the same host", { origin: "http://beckon.test" }],
  ["another relying party id", { rpId: "test" }],
  ["the response to a sign-in", { type: "webauthn.get" }],
  ["a challenge that was never given", { challenge: Buffer.alloc(32, 9).toString("base64url") }],
  ["a user who was not verified", { flags: 0x01 }],
  ["a user who was not present", { flags: 0x04 }],
  ["a page in a frame of another site", { crossOrigin: true }],
  ["a page below a page of another site", { topOrigin: "https://evil.example" }],
  ["a backup of what cannot be backed up", { flags: 0x01 | 0x04 | 0x10 }],
])("a registration of %s is refused", async (_what, changes) => {
  expect(await verified(new TestPasskey().register(await given(), changes))).toBeNull();
  expect(await verified(new TestPasskey().register(await given()))).not.toBeNull();
});

test("a registration is accepted once, also when it is sent three times at once", async () => {
  const response = new TestPasskey().register(await given());
  const all = await Promise.all([verified(response), verified(response), verified(response)]);
  expect(all.filter((one) => one !== null)).toHaveLength(1);
});

test("a challenge of another browser, of a sign-in, or of more than five minutes ago is refused", async () => {
  const response = new TestPasskey().register(await given());
  expect(await verified(response, visitor("mallory").hash)).toBeNull();
  store.clock.pass(5 * MINUTE);
  expect(await verified(response)).toBeNull();
  const request = { personId: null, relyingParty: RP, visitorHash: ANN, now: store.clock.now() };
  expect(await verified(new TestPasskey().register(await authenticationOptions(store.db, request)))).toBeNull();
});

test("a credential that is registered cannot be registered for another person", async () => {
  const [ann, bob] = ["per_ann", "per_bob"];
  const passkey = new TestPasskey();
  const add = async (personId: string) => {
    const credential = (await verified(passkey.register(await given())))!;
    return store.db.tx((tx) => addPasskey(tx, { personId, name: "Phone", credential, now: store.clock.now() }));
  };
  expect(await add(ann)).toHaveProperty("id");
  expect(await add(bob)).toBe("exists");
  expect(await add(ann)).toBe("exists");
});

test.each([
  [1_023, true],
  [1_024, false],
])("the id of a credential has %i bytes: accepted: %s", async (bytes, isAccepted) => {
  const passkey = new TestPasskey(RP.origin, RP.id, bytes);
  expect((await verified(passkey.register(await given()))) !== null).toBe(isAccepted);
});
