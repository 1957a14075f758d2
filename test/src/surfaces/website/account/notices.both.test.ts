import { afterAll, expect, test } from "vitest";
import { noticeSettingsOf } from "../../../../../src/domain/notices/settings.ts";
import { UNSUBSCRIBE_PATH, unsubscribeUrl } from "../../../../../src/domain/notices/unsubscribe.ts";
import { secretBoxOf } from "../../../../../src/platform/config/secrets-key.ts";
import { SecretBox } from "../../../../../src/platform/secret-box.ts";
import { testService } from "../../../../support/service/service.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const PATH = "/dashboard/notices";

const settingsOf = async (accountId: string) => {
  const { on, threshold } = await noticeSettingsOf(service.db, accountId);
  return { on: [...on], threshold };
};

/** The address in a mail, at the address where the service of the test listens. */
function linkOf(accountId: string, secretBox = secretBoxOf(service.config)): string {
  return unsubscribeUrl({ siteUrl: service.url, secretBox }, { accountId, kind: "receipts" });
}

/** The POST of a mail program (RFC 8058 section 3.2): no cookie, no Origin. */
const oneClick = (address: string) =>
  fetch(address, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
    redirect: "manual",
  });

test("all notices are on at first; the form switches them, and sets the threshold of low credits", async () => {
  const { user, accountId } = await signedIn(service);
  expect(await settingsOf(accountId)).toEqual({ on: ["projects", "credits", "watches", "receipts"], threshold: 100 });
  const saved = await user.submit(await user.get(PATH), { notice: "credits", threshold: "2500" }, PATH);
  expect((await user.get(saved.location!)).text).toContain("Your choice is saved.");
  expect(await settingsOf(accountId)).toEqual({ on: ["credits"], threshold: 2_500 });
});

test.each(["-1", "1.5", "", "ten", "1000001", "1e3"])(
  "400: %j is no threshold, and nothing is changed",
  async (threshold) => {
    const { user, accountId } = await signedIn(service);
    const refused = await user.submit(await user.get(PATH), { notice: "credits", threshold }, PATH);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("a whole number from 0")]);
    expect(await settingsOf(accountId)).toMatchObject({ on: ["projects", "credits", "watches", "receipts"] });
  },
);

test("one-click unsubscribe: the POST of a mail program switches its kind off, without a session, and may come twice", async () => {
  const { accountId } = await signedIn(service);
  for (let n = 0; n < 2; n++) {
    const answer = await oneClick(linkOf(accountId));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("You are unsubscribed");
  }
  expect(await settingsOf(accountId)).toMatchObject({ on: ["projects", "credits", "watches"] });
});

test("law: opening the link changes nothing, since programs open links; its button does", async () => {
  const { accountId } = await signedIn(service);
  const link = linkOf(accountId);
  const page = await (await fetch(link)).text();
  expect(page).toContain("Receipts");
  expect(await settingsOf(accountId)).toMatchObject({ on: ["projects", "credits", "watches", "receipts"] });
  const action = /<form method="post" action="([^"]+)"/.exec(page)![1]!;
  expect((await oneClick(`${service.url}${action}`)).status).toBe(200);
  expect(await settingsOf(accountId)).toMatchObject({ on: ["projects", "credits", "watches"] });
});

test("410: an address that we did not make, or that was changed, switches nothing off", async () => {
  const { accountId } = await signedIn(service);
  const link = linkOf(accountId);
  const stranger = linkOf(accountId, new SecretBox(() => [Buffer.alloc(32, 9)]));
  const sealed = secretBoxOf(service.config).seal(`receipts ${accountId}`, {
    table: "webhooks",
    row: "1",
    column: "x",
  });
  for (const address of [
    stranger,
    link.slice(0, -3),
    `${service.url}${UNSUBSCRIBE_PATH}`,
    `${service.url}${UNSUBSCRIBE_PATH}?token=${sealed}`,
  ]) {
    expect((await oneClick(address)).status).toBe(410);
    expect((await fetch(address)).status).toBe(410);
  }
  expect(await settingsOf(accountId)).toMatchObject({ on: ["projects", "credits", "watches", "receipts"] });
});

test("an account that is gone leaves no row", async () => {
  expect((await oneClick(linkOf("acc_gone"))).status).toBe(200);
  const rows = await service.db.q.select().from(service.db.t.noticesOff);
  expect(rows.map(({ accountId }) => accountId)).not.toContain("acc_gone");
});
