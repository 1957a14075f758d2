import { eq } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { DAY } from "../src/platform/clock.ts";
import { openSessionOf } from "./support/database/people.ts";
import { testChecker } from "./support/service/checker.ts";
import { type LiveService, liveService } from "./support/service/live-service.ts";
import { type TestService, testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";
import { User } from "./support/website/user.ts";

async function addSite({ db, clock }: TestService, accountId: string, host: string, connections: object) {
  const now = clock.now();
  const row = { bucket: 0, accountId, host, indexnowKey: "0".repeat(32), keyUrl: `https://${host}/0.txt` };
  const more = { status: "verified", connections: JSON.stringify(connections), createdAt: now, verifiedAt: now };
  await db.tx((tx) => tx.q.insert(tx.t.sites).values({ id: `site_${host}`, ...row, ...more }));
}

describe.each(Object.entries(SURFACES))("%s", (_, connect) => {
  const ready = testService().then((service) => ({ service, client: connect(service) }));
  afterAll(async () => {
    const { service, client } = await ready;
    expect((await audit(service.db)).problems).toEqual([]);
    await client.close();
    await service.close();
  });

  test("pages of a verified site have Bing's word on day 4 and 14, others have none, and credits follow Google alone", async () => {
    const { service, client } = await ready;
    const account = await service.account({ credits: 100 });
    const call = async (name: string, input: Record<string, unknown>) => {
      const { ok, body } = await client.call(name, input, account);
      if (!ok) throw new Error(JSON.stringify(body));
      return body;
    };
    const { account_id: accountId = (await call("get_account", {})).id } = account as { account_id?: string };
    await addSite(service, accountId, "own.example", {});
    const urls = ["day_4", "never", "silent"].map((fate) => `https://own.example/?sandbox=${fate}`);
    const { project } = await call("submit_urls", { urls: [...urls, "https://other.example/?sandbox=hour"] });
    const { links } = await call("list_links", { project_id: project.id });
    const words = async () => {
      const checks = [];
      for (const { id } of links)
        checks.push((await call("get_link", { project_id: project.id, link_id: id })).bing_check);
      return checks.map((check) => check && [check.result, check.reason]);
    };
    const checker = testChecker(service);
    await checker.until(service.clock.service() + 3 * DAY);
    expect(await words()).toEqual([null, null, null, null]);
    expect((await call("get_report", { project_id: project.id })).bing).toBeNull();
    await checker.until(service.clock.service() + 2 * DAY);
    const said = [["indexed", null], ["not_indexed", null], ["unknown", "no_answer"], null];
    expect(await words()).toEqual(said);
    await checker.until(service.clock.service() + 25 * DAY);
    expect(await words()).toEqual(said);
    expect((await call("get_report", { project_id: project.id })).bing).toEqual({
      indexed: 1,
      not_indexed: 1,
      unknown: 1,
    });
    const options = { key: account.key, headers: { Accept: "text/csv" } };
    const { text } = await service.request("GET", `/projects/${project.id}/report`, options);
    const rows = text
      .replaceAll('"', "")
      .split("\r\n")
      .filter((line) => line.startsWith("bing,"));
    expect(rows.map((row) => row.split(",", 3).join())).toEqual([
      "bing,indexed,1",
      "bing,not_indexed,1",
      "bing,unknown,1",
    ]);
    // Two of four were not found in Google; of that, Bing's word changes nothing.
    expect(await call("get_project", { project_id: project.id })).toMatchObject({
      status: "completed",
      credits_returned: 2,
    });
    const { bingChecks, observations, steps } = service.db.t;
    const asked = await service.db.q.select().from(bingChecks);
    expect(new Set(asked.map(({ stage }) => stage))).toEqual(new Set(["day_4", "day_14"]));
    const seen = await service.db.q.select().from(observations);
    expect(seen.filter(({ provider }) => provider !== "sandbox")).toEqual([]);
    expect(await service.db.q.select().from(steps).where(eq(steps.lane, "bing"))).toEqual([]);
  });
});

describe("a live service", () => {
  let live: LiveService;
  afterEach(async () => {
    expect((await audit(live.service.db)).problems).toEqual([]);
    await live.close();
  });

  async function submitted(env: NodeJS.ProcessEnv = {}, isConnected = true) {
    live = await liveService("speedyindex,serper,bing_webmaster", env);
    const { service, world, fakes } = live;
    const site = `${fakes.origin}/`;
    world.bingSites.add(site);
    const { key } = await service.account({ credits: 100 });
    const { id } = (await service.request("GET", "/account", { key })).json;
    await addSite(service, id, live.host, isConnected ? { bing_webmaster: site } : {});
    const urls = [live.page("ok-1", "hour"), live.page("ok-2", "never"), live.page("ok-3", "hour")];
    world.bingPages.set(urls[2]!, "crawled");
    const { json } = await service.request("POST", "/projects", { key, body: { urls } });
    const start = service.clock.service();
    const path = `/projects/${json.project.id}`;
    const words = async () => {
      const { links } = (await service.request("GET", `${path}/links`, { key })).json;
      const checks = [];
      for (const link of links) {
        const { bing_check: check } = (await service.request("GET", `${path}/links/${link.id}`, { key })).json;
        checks.push(check && [check.result, check.reason]);
      }
      return checks;
    };
    const asked = () => fakes.callsTo("bing_webmaster").filter(({ path: of }) => of.includes("GetUrlInfo"));
    return { start, words, asked, urls, accountId: id as string, path };
  }

  test("Bing is asked for each page of a connected host on day 4 and 14, and its page shows the word", async () => {
    const { start, words, asked, accountId, path } = await submitted();
    await live.until(start + 5 * DAY);
    expect(asked()).toHaveLength(3);
    expect(await words()).toEqual([
      ["indexed", null],
      ["not_indexed", null],
      ["unknown", null],
    ]);
    live.world.bingPages.clear();
    await live.until(start + 15 * DAY);
    expect(asked()).toHaveLength(6);
    expect((await words())[2]).toEqual(["indexed", null]);
    const user = new User(live.service);
    const session = { accountId, browser: "Firefox on Linux", ip: "127.0.0.1", now: live.service.clock.now() };
    user.cookies.set("sid", await live.service.db.tx((tx) => openSessionOf(tx, session)));
    const { text } = await user.get(`/dashboard${path}/links/lnk_${path.split("_")[1]}_0`);
    expect(text).toContain("In Bing Result Found");
  });

  test("a failure is unknown: it is not repeated, and changes nothing for Google", async () => {
    const { start, words, asked } = await submitted();
    await live.until(start + DAY);
    live.world.answer("bing_webmaster", { status: 200, body: { ErrorCode: 5, Message: "ERROR!!! ThrottleHost" } });
    await live.until(start + 6 * DAY);
    // Two are asked for at a time, and no more once it refuses.
    expect(asked()).toHaveLength(2);
    expect(await words()).toEqual([
      ["unknown", "rate_limited"],
      ["unknown", "rate_limited"],
      ["unknown", "held"],
    ]);
    live.world.heal();
    await live.until(start + 15 * DAY);
    expect((await words())[0]).toEqual(["indexed", null]);
  });

  test("its budget bounds the calls, and a host that is not connected costs none", async () => {
    const bounded = await submitted({ PROVIDER_BUDGETS: "bing_url_info=2" });
    await live.until(bounded.start + 5 * DAY);
    expect(bounded.asked()).toHaveLength(2);
    expect((await bounded.words())[2]).toEqual(["unknown", "held"]);
    await live.close();
    const foreign = await submitted({}, false);
    await live.until(foreign.start + 15 * DAY);
    expect([foreign.asked(), await foreign.words()]).toEqual([[], [null, null, null]]);
  });
});
