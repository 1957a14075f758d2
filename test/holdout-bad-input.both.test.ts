import { afterAll, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { DAY } from "../src/platform/clock.ts";
import { experimenter, pages } from "./support/service/experimenter.ts";
import { testService } from "./support/service/service.ts";

const service = await testService();
afterAll(async () => {
  expect((await audit(service.db)).problems).toEqual([]);
  expect(service.errors).toEqual([]);
  await service.close();
});

/** An account with an experiment of 100 pages, of which 20 are held out. */
async function running(fate = "day_4") {
  const own = await experimenter(service);
  const urls = pages(own.host, 100, fate);
  const { json } = await own.start({ urls, holdout_percent: 20 });
  const experiment = () => own.get(`/experiments/${json.experiment.id}`);
  const { project_id: sentId, control_project_id: heldId } = await experiment();
  return { ...own, urls, experiment, sentId, heldId, held: await own.urlsOf(heldId) };
}

test("400: duplicates and what is no URL do not make up for pages that are too few", async () => {
  const { host, call, start, credits } = await experimenter(service);
  const few = pages(host, 38);
  const urls = [...few, ...few.map((url) => `${url}#again`), ...few.map((_, at) => `no URL ${at}`)];
  for (const refused of [
    await start({ urls, holdout_percent: 50 }),
    await call("POST", "/estimate", { urls, holdout_percent: 50 }),
    await call("POST", "/estimate", { count: 38, holdout_percent: 50 }),
  ])
    expect([refused.status, refused.json.error.reason, refused.json.error.held]).toEqual([400, "too_few", 19]);
  expect(await credits()).toBe(1_000);
});

test("cancelled: where the sent group was, held pages are looked up all the same, and nothing is said", async () => {
  const { call, experiment, sent, sentId, heldId, until, credits, get } = await running();
  expect((await call("POST", `/projects/${sentId}/cancel`, {})).json).toMatchObject({ credits_returned: 80 });
  await until(15 * DAY);
  expect(sent).toEqual([]);
  expect(await experiment()).toMatchObject({
    sent: { n: 80, found: 0, not_found: 0, unknown: 80 },
    held: { n: 20, unknown: 0 },
    ...{ difference: null, verdict: "cannot_tell" },
  });
  expect([await credits(), (await get(`/projects/${heldId}`)).status]).toEqual([996, "completed"]);
});

test("cancelled: both groups at once, and twice", async () => {
  const { call, experiment, sentId, heldId, until, credits, get } = await running();
  for (const id of [sentId, heldId, sentId, heldId])
    expect((await call("POST", `/projects/${id}/cancel`, {})).status).toBe(200);
  await until(16 * DAY);
  expect(await credits()).toBe(1_000);
  expect(await experiment()).toMatchObject({ verdict: "cannot_tell", sent: { unknown: 80 }, held: { unknown: 20 } });
  expect((await get("/events?type=experiment.decided")).events).toHaveLength(1);
});

test("a page of two experiments: each says what the other has sent, and neither sends what only it holds", async () => {
  const { get, start, urls, experiment, held, sent, until } = await running();
  const { status, json } = await start({ urls, holdout_percent: 50 });
  expect(status).toBe(201);
  const second = () => get(`/experiments/${json.experiment.id}`);
  const { links } = await get(`/projects/${(await second()).control_project_id}/links?limit=500`);
  const heldByBoth = links.map(({ url }: { url: string }) => url).filter((url: string) => held.includes(url));
  await until(16 * DAY);
  expect(heldByBoth.filter((url: string) => sent.includes(url))).toEqual([]);
  const sentBySecond = held.length - heldByBoth.length;
  expect((await experiment()).held).toMatchObject({ n: 20, sent_elsewhere: sentBySecond });
  expect((await second()).held).toMatchObject({ n: 50, sent_elsewhere: 50 - heldByBoth.length });
});

test("resubmit sends no held page before the end, and sends them after it", async () => {
  const { call, get, sent, held, heldId, until } = await running("never");
  const again = () => call("POST", `/projects/${heldId}/resubmit`, {});
  expect((await again()).json.error.code).toBe("no_valid_urls");
  await until(5 * DAY);
  expect((await again()).json.error.code).toBe("no_valid_urls");
  expect(sent.filter((url) => held.includes(url))).toEqual([]);
  await until(11 * DAY);
  const { status, json } = await again();
  expect([status, json.urls_accepted]).toEqual([201, 20]);
  await until(DAY);
  expect(sent.filter((url) => held.includes(url)).sort()).toEqual([...held].sort());
  expect((await get(`/projects/${json.project.id}`)).kind).toBe("index");
});

test("resubmit of the sent group takes no page of the held one", async () => {
  const { call, experiment, sent, sentId, held, until, urlsOf } = await running("never");
  await until(16 * DAY);
  const { json } = await call("POST", `/projects/${sentId}/resubmit`, {});
  expect(json.urls_accepted).toBe(80);
  expect((await urlsOf(json.project.id)).filter((url) => held.includes(url))).toEqual([]);
  expect(sent.filter((url) => held.includes(url))).toEqual([]);
  expect((await experiment()).held.sent_elsewhere).toBe(0);
});
