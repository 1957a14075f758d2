import { afterEach, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { DAY, HOUR, MINUTE } from "../src/platform/clock.ts";
import { type LiveService, liveService } from "./support/service/live-service.ts";
import { googleError } from "./support/upstreams/google-error.ts";
import { indexNowError } from "./support/upstreams/indexnow.ts";

let live: LiveService;
afterEach(async () => {
  expect((await audit(live.service.db)).problems).toEqual([]);
  expect(live.service.errors).toEqual([]);
  await live.close();
});

/** A live service, and an account with a verified site there. */
async function open(engines: string) {
  live = await liveService(engines);
  const { key } = await live.service.account({ credits: 100 });
  await verify(key, live.host);
  return key;
}

async function verify(key: string, host: string) {
  const site = await addSite(key, { host });
  live.files.set(`/${site.indexnow_key}.txt`, site.indexnow_key);
  return addSite(key, { host });
}

async function addSite(key: string, body: { host: string; rotate_key?: boolean }) {
  return (await live.service.request("POST", "/sites", { key, body })).json;
}

async function submit(key: string, urls: readonly string[]): Promise<string> {
  const { json } = await live.service.request("POST", "/projects", { key, body: { urls } });
  return json.project.id;
}

/** `status provider detail` of each link at one engine. */
async function atEngine(key: string, project: string, engine: string): Promise<string[]> {
  const { json } = await live.service.request("GET", `/projects/${project}/links?limit=100`, { key });
  return json.links.map(({ engines }: { engines: Record<string, Record<string, string | null>> }) => {
    const { status, provider, detail } = engines[engine]!;
    return [status, provider, detail].filter((word) => word !== null).join(" ");
  });
}

const now = () => live.service.clock.service();
const pages = (count: number) => Array.from({ length: count }, (_, i) => live.page(`ok-${i}`, "hour"));

test("Bing takes 10 a day and 25 pages wait: ten go out each day", async () => {
  live = await liveService("speedyindex,bing_webmaster,serper");
  const { key } = await live.service.account({ credits: 100 });
  const siteUrl = `http://${live.host}/`;
  live.world.bingSites.add(siteUrl);
  live.world.quotas.set(`bing_webmaster ${siteUrl}`, 10);
  await verify(key, live.host);
  await submit(key, pages(25));
  const sent = async (at: number) => {
    await live.until(at);
    return live.world.urlsSubmittedTo("bing_webmaster").length;
  };
  const start = now();
  const midnight = Math.ceil(start / DAY) * DAY;
  expect([await sent(start), await sent(midnight - 1), await sent(midnight), await sent(midnight + DAY)]).toEqual([
    10, 10, 20, 25,
  ]);
  expect(new Set(live.world.urlsSubmittedTo("bing_webmaster")).size).toBe(25);
});

test("IndexNow is still verifying the site: the links wait, and are sent when it is done", async () => {
  const key = await open("speedyindex,indexnow_bing,serper");
  const start = now();
  live.world.answer("indexnow_bing", indexNowError(403, "SiteVerificationNotCompleted"));
  const project = await submit(key, pages(3));
  await live.until(start + 10 * MINUTE);
  expect(await atEngine(key, project, "bing")).toEqual(Array(3).fill("queued"));
  expect(live.fakes.callsTo("indexnow_bing").length).toBeLessThan(6);
  live.world.heal();
  await live.until(start + HOUR);
  expect(await atEngine(key, project, "bing")).toEqual(Array(3).fill("accepted indexnow_bing"));
});

test("IndexNow refuses one URL of five: the other four are sent", async () => {
  const key = await open("speedyindex,indexnow_bing,serper");
  const urls = pages(5);
  live.world.invalid.add(urls[2]!);
  const project = await submit(key, urls);
  await live.until(now() + HOUR);
  const accepted = "accepted indexnow_bing";
  const refused = "failed indexnow_bing url_not_of_host";
  expect(await atEngine(key, project, "bing")).toEqual([accepted, accepted, refused, accepted, accepted]);
});

test("the Indexing API refuses site A: the pages of site B are published, and none goes to a reseller", async () => {
  live = await liveService("indexing_api,speedyindex,serper");
  const { key } = await live.service.account({ credits: 100 });
  const [a, b] = [live.host, live.host.replace("127.0.0.1", "localhost")];
  for (const host of [a, b]) {
    live.world.properties.set(`http://${host}/`, "siteOwner");
    await verify(key, host);
  }
  const denied = googleError(403, "PERMISSION_DENIED", "Permission denied. Failed to verify the URL ownership.");
  live.world.fail("indexing_api", { answer: denied, holding: a });
  const jobs = (host: string) => Array.from({ length: 3 }, (_, i) => `http://${host}/job-${i}?sandbox=hour`);
  const projects = [await submit(key, jobs(a)), await submit(key, jobs(b))];
  await live.until(now() + HOUR);
  expect(await atEngine(key, projects[1]!, "google")).toEqual(Array(3).fill("accepted indexing_api published"));
  expect(await atEngine(key, projects[0]!, "google")).toEqual(Array(3).fill("accepted speedyindex"));
  expect(live.world.urlsSubmittedTo("speedyindex").sort()).toEqual(jobs(a));
});

test("Bing refuses the key for good: the links say so, add_site offers a new key, and its file is the way out", async () => {
  const key = await open("speedyindex,indexnow_bing,serper");
  const burnt = (await addSite(key, { host: live.host })).indexnow_key;
  live.world.fail("indexnow_bing", { answer: indexNowError(403, "UserForbiddedToAccessSite"), holding: burnt });
  const before = await submit(key, pages(2));
  await live.until(now() + HOUR);
  expect(await atEngine(key, before, "bing")).toEqual(Array(2).fill("failed indexnow_bing key_refused"));
  expect((await addSite(key, { host: live.host })).next_step).toContain("rotate_key");

  const rotated = await addSite(key, { host: live.host, rotate_key: true });
  expect(rotated.indexnow_key).not.toBe(burnt);
  expect(rotated).toMatchObject({ status: "verified", key_url: `http://${live.host}/${rotated.indexnow_key}.txt` });
  live.files.set(`/${rotated.indexnow_key}.txt`, rotated.indexnow_key);
  const seen = await addSite(key, { host: live.host });
  expect(seen).toMatchObject({ status: "verified", indexnow_key: rotated.indexnow_key, key_url: rotated.key_url });
  expect(seen.next_step).not.toContain("rotate_key");

  const after = await submit(
    key,
    ["new-1", "new-2"].map((name) => live.page(name, "hour")),
  );
  await live.until(now() + HOUR);
  expect(await atEngine(key, after, "bing")).toEqual(Array(2).fill("accepted indexnow_bing"));
});
