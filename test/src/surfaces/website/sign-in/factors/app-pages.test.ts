import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { FACTOR_PATHS } from "../../../../../../src/surfaces/website/shell/addresses.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { testService } from "../../../../../support/service/service.ts";
import { type Member, member, signInAs } from "../../../../../support/website/member.ts";
import { withoutSignIns } from "../../../../../support/website/test-users.ts";
import { type PageSeen, User } from "../../../../../support/website/user.ts";

const service = eachTest(() => testService());

const keyOn = ({ text }: PageSeen) => /cannot scan: ((?:[A-Z2-7]{4} ?){8})/.exec(text)![1]!.replaceAll(" ", "");
const codeOf = (page: PageSeen) => new TOTP({ secret: keyOn(page) }).generate({ timestamp: service.clock.now() });

async function signedInMember(): Promise<{ user: User; who: Member }> {
  const who = await member(service);
  const user = new User(service);
  await signInAs(user, who);
  return { user, who };
}

async function addApp(user: User): Promise<PageSeen> {
  const page = await user.get(FACTOR_PATHS.newApp);
  return user.submit(page, { code: codeOf(page) }, FACTOR_PATHS.app);
}

test("an app is added once it has shown a right code; its owner is mailed, and gets recovery codes", async () => {
  const { user, who } = await signedInMember();
  const page = await user.get(FACTOR_PATHS.newApp);
  const wrong = await user.submit(page, { code: "000000" }, FACTOR_PATHS.app);
  expect([wrong.status, keyOn(wrong)]).toEqual([400, keyOn(page)]);
  const added = await user.submit(wrong, { code: codeOf(wrong) }, FACTOR_PATHS.app);
  expect(added.text).toContain("Save these codes now");
  expect(added.headers.get("cache-control")).toContain("no-transform");
  expect(withoutSignIns(service.outbox).map(({ to, subject }) => [to, subject])).toEqual([
    [who.email, "An authenticator app was added to your Beckon account"],
  ]);
  // The session goes on, with a new cookie, and counts as confirmed.
  expect((await user.get(FACTOR_PATHS.recoveryCodes)).status).toBe(200);
});

test("303 to the second step after the password; the code that added the app is not accepted again", async () => {
  const { user, who } = await signedInMember();
  const page = await user.get(FACTOR_PATHS.newApp);
  const code = codeOf(page);
  await user.submit(page, { code }, FACTOR_PATHS.app);
  const other = new User(service);
  const step = await signInAs(other, who, "/dashboard/keys");
  expect([step.status, step.location]).toEqual([303, "/sign-in/second-step?return_to=%2Fdashboard%2Fkeys"]);
  expect((await other.get("/dashboard")).location).toContain("/sign-in?");
  const refused = await other.submit(await other.follow(step), { code }, "/sign-in/second-step");
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("was not accepted")]);
  service.clock.pass(30_000);
  const shown = await other.submit(refused, { code: codeOf(page) }, "/sign-in/second-step");
  expect([shown.status, shown.location]).toEqual([303, "/dashboard/keys"]);
  expect((await other.get("/dashboard/keys")).status).toBe(200);
});

test("a key that was sealed for another session is not taken: the form starts again", async () => {
  const [one, other] = [await signedInMember(), await signedInMember()];
  const page = await one.user.get(FACTOR_PATHS.newApp);
  const own = await other.user.get(FACTOR_PATHS.newApp);
  const sealed = new Map(page.forms.find(({ action }) => action === FACTOR_PATHS.app)!.fields).get("sealed")!;
  const answer = await other.user.submit(own, { sealed, code: codeOf(page) }, FACTOR_PATHS.app);
  expect([answer.status, answer.location]).toEqual([303, FACTOR_PATHS.newApp]);
});

test("the app is removed at once by whoever has shown a factor lately, and the password alone signs in again", async () => {
  const { user, who } = await signedInMember();
  await addApp(user);
  const removed = await user.submit(await user.get("/dashboard/security"), {}, FACTOR_PATHS.removeApp);
  expect(removed.location).toBe("/dashboard/security?done=app_removed");
  expect(service.outbox.at(-1)!.subject).toBe("The authenticator app was removed from your Beckon account");
  const other = new User(service);
  expect((await signInAs(other, who)).location).toBe("/dashboard");
});

test("an hour later every change asks for the code first", async () => {
  const { user } = await signedInMember();
  await addApp(user);
  const page = await user.get("/dashboard/security");
  service.clock.pass(61 * 60_000);
  for (const action of [FACTOR_PATHS.removeApp, FACTOR_PATHS.secondStep])
    expect((await user.submit(page, {}, action)).location).toBe("/sign-in?return_to=%2Fdashboard%2Fsecurity&again=1");
  for (const path of [FACTOR_PATHS.newApp, FACTOR_PATHS.newPasskey, FACTOR_PATHS.recoveryCodes])
    expect((await user.get(path)).location).toMatch(/^\/sign-in\?return_to=.+&again=1$/);
  expect((await user.get("/sign-in?again=1")).location).toBe("/sign-in/confirm");
});

test("confirming by a code renews both cookies: the session's, and the one by which the browser is known", async () => {
  const { user } = await signedInMember();
  const page = await user.get(FACTOR_PATHS.newApp);
  const secret = keyOn(page).replaceAll(" ", "");
  await user.submit(page, { code: codeOf(page) }, FACTOR_PATHS.app);
  service.clock.pass(61 * 60_000);
  const before = new Map(user.cookies);
  user.cookies.delete("known");
  const code = new TOTP({ secret }).generate({ timestamp: service.clock.now() });
  const confirmed = await user.submit(await user.get("/sign-in/confirm"), { code }, "/sign-in/confirm");
  expect(confirmed.status).toBe(303);
  expect(user.cookies.get("sid")).not.toBe(before.get("sid"));
  expect(user.cookies.get("known")).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
});
