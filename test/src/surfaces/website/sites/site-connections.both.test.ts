import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { testService } from "../../../../support/service/service.ts";
import { failingConnection } from "../../../../support/website/inbox.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("200: the page of a site names the connections that reach it, and which of them gives no access", async () => {
  const { user, accountId } = await signedIn(service);
  await user.submit(await user.get("/dashboard/sites"), { host: "www.shop.example" }, "/dashboard/sites");
  const page = async () => (await user.get("/dashboard/sites/www.shop.example")).text;
  expect(await page()).toContain("Connections None.");
  await failingConnection(service, accountId);
  const property = (name: string, permission: string) => ({ name, permission });
  const properties = JSON.stringify([
    property("https://www.shop.example/blog/", "siteFullUser"),
    property("sc-domain:shop.example", "siteOwner"),
    property("sc-domain:other.example", "siteOwner"),
  ]);
  const { db } = service;
  const change = (set: object) =>
    db.tx((tx) => tx.q.update(tx.t.connections).set(set).where(eq(tx.t.connections.accountId, accountId)).returning());
  await change({ properties });
  expect(await page()).toContain("sc-domain:shop.example of Search Console The access was revoked there");
  await change({ failingSince: null, failure: null });
  expect(await page()).toContain("sc-domain:shop.example of Search Console Works");
  await change({ properties: JSON.stringify([property("https://www.shop.example/", "siteRestrictedUser")]) });
  expect(await page()).toContain("Connections None.");
});
