import { eq } from "drizzle-orm";
import { hashInput } from "../../../../src/domain/calls/idempotency-keys.ts";
import { foldCoverage } from "../../../../src/domain/coverage/fold.ts";
import { createKey } from "../../../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { digestOf, purposeOf } from "../../../../src/domain/projects/purpose.ts";
import { requestApproval } from "../../../../src/domain/spending/approvals.ts";
import { setLimits } from "../../../../src/domain/spending/budgets.ts";
import { holderOf } from "../../../../src/domain/spending/holder.ts";
import { SUGGESTED_LIMITS } from "../../../../src/domain/spending/limits.ts";
import { saveSubscription } from "../../../../src/domain/subscriptions/save.ts";
import { queuePing } from "../../../../src/domain/webhooks/queue.ts";
import { newWebhookSecret } from "../../../../src/domain/webhooks/secret.ts";
import { createWebhook } from "../../../../src/domain/webhooks/webhooks.ts";
import { createSite, recordSiteCheck } from "../../../../src/indexing/sites/sites.ts";
import { type PageVisits, recordVisits } from "../../../../src/indexing/visits/visits.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { SCOPES } from "../../../../src/platform/principal.ts";
import { SIZES } from "../../../../src/platform/sizes.ts";
import { packUrls } from "../../../../src/platform/urls/packed-urls.ts";
import { openSessionOf, ownerOf } from "../../database/people.ts";
import { testChecker } from "../../service/checker.ts";
import type { TestService } from "../../service/service.ts";
import { connected } from "../account-fixtures.ts";
import { signedIn, type User } from "../user.ts";
import { addBingChecks } from "./example-bing-checks.ts";
import { type ExampleTexts, USUAL_TEXTS } from "./example-texts.ts";
import { addWatches } from "./example-watches.ts";

/** An account after three weeks of use, with its owner signed in. */
export interface ExampleAccount {
  readonly user: User;
  readonly accountId: string;
  readonly email: string;
  /** Ids of its projects by what has become of them. */
  readonly projects: Readonly<Record<ProjectName, string>>;
  /** Id of a webhook with deliveries that have arrived, and others that have not. */
  readonly webhook: string;
  /** Ids of a watch that has run, and of one that is held. */
  readonly watches: { readonly good: string; readonly held: string; readonly tried: string };
  /** Id of the connection of an agent with limits, and of a call of it that waits for a yes. */
  readonly agent: string;
  readonly approval: string;
}

const PROJECT_NAMES = ["completed", "dripping", "check", "instant", "cancelled", "new"] as const;
type ProjectName = (typeof PROJECT_NAMES)[number];

/** Opens an account, submits its projects over three weeks of service time, and gives it sites, keys, an app and an agent. */
export async function exampleAccount(
  service: TestService,
  email: string,
  texts: ExampleTexts = USUAL_TEXTS,
): Promise<ExampleAccount> {
  const { db, clock } = service;
  const { user, accountId } = await signedIn(service, { email });
  const key = await db.tx(async (tx) => {
    const now = clock.now();
    await bookSandboxOrder(tx, { accountId, pack: PACKS[2], now });
    return createKey(tx, { accountId, name: texts.name("Publishing script"), mode: "sandbox", now });
  });
  const checker = testChecker(service);
  const pass = (days: number) => checker.until(clock.service() + days * DAY);
  const submit = async (path: string, name: string, section: string, count: number, more: object = {}) => {
    const urls = Array.from({ length: count }, (_, index) => texts.url(section, index));
    const body = { urls, name: texts.name(name), ...more };
    const { status, json } = await service.request("POST", path, { key, body });
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(json)}`);
    return json.project.id as string;
  };

  const completed = await submit("/projects", "Spring articles", "articles", 120);
  await pass(6);
  const dripping = await submit("/projects", "Product pages", "products", 280, { drip_days: 30 });
  await pass(4);
  const check = await submit("/checks", "Old blog, before the move", "blog", 60);
  await pass(3);
  const cancelled = await submit("/projects", "Shop categories", "shop", 45, { drip_days: 7 });
  await pass(3);
  await service.request("POST", `/projects/${cancelled}/cancel`, { key, body: {} });
  const instant = await submit("/projects", "Summer sale", "sale", 24, { mode: "instant" });
  await pass(4.5);
  const recent = await submit("/projects", "Help centre", "help", 32);
  await checker.until(clock.service() + HOUR);

  await tag(
    service,
    key,
    { [completed]: ["Example", "Spring"], [check]: ["Example"], [dripping]: ["Acme & Sons"] },
    texts,
  );

  await db.tx(async (tx) => {
    const now = clock.now();
    await bookSandboxOrder(tx, { accountId, pack: PACKS[1], now });
    const own = await createSite(tx, { accountId, host: "www.example.com", now });
    const keyFile = { result: "found", keyUrl: `https://www.example.com/${own.indexnowKey}.txt` } as const;
    await recordSiteCheck(tx, own, { keyFile, checkedAt: now, connections: {} });
    await createSite(tx, { accountId, host: "shop.example.com", now });
    // The first session has expired by now.
    const browser = "Firefox on Linux";
    user.cookies.set("sid", await openSessionOf(tx, { accountId, browser, ip: "127.0.0.1", now }));
    await openSessionOf(tx, { accountId, browser: "Safari on iOS", ip: "2001:db8::7", now: now - DAY });
  });
  await addBingChecks(service, completed);
  await foldCoverage(db);
  await db.tx((tx) => recordVisits(tx, accountId, exampleVisits(texts, clock.now())));
  const webhook = await addWebhook(service, accountId, texts.name("Tells the newsroom"));
  await connected(service, accountId, { name: texts.name("Claude") });
  const name = texts.name("Robin, the publishing agent");
  const { grantId: agent } = await connected(service, accountId, { name, kind: "agent", scopes: SCOPES });
  const approval = await askFor(service, accountId, { agent, name, texts });
  await addSubscriptions(service, accountId, agent);
  const projects = { completed, dripping, check, instant, cancelled, new: recent };
  const watches = await addWatches(service, { accountId, projectId: completed, texts });
  await foldCoverage(db);
  return { user, accountId, email, projects, webhook, watches, agent, approval };
}

/** Gives projects their tags, by id. */
async function tag(service: TestService, key: string, tags: Record<string, readonly string[]>, texts: ExampleTexts) {
  for (const [id, usual] of Object.entries(tags)) {
    const body = { tags: usual.map((name) => texts.name(name).slice(0, SIZES.tag).trim()) };
    const { status } = await service.request("PATCH", `/projects/${id}`, { key, body });
    if (status !== 200) throw new Error(`${status}`);
  }
}

/** What two crawlers have read of a site, and somebody who says to be a third one. */
function exampleVisits(texts: ExampleTexts, now: number) {
  const visit = (agent: PageVisits["agent"], verified: PageVisits["verified"], index: number): PageVisits => {
    const times = { firstAt: now - 9 * DAY, lastAt: now - index * HOUR };
    return { url: texts.url("articles", index), agent, verified, ...times, count: 3 + index, status: 200 };
  };
  const pages = Array.from({ length: 12 }, (_, index) => index);
  return [
    ...pages.map((index) => visit("Googlebot", "range", index)),
    ...pages.slice(4).map((index) => visit("OAI-SearchBot", "range", index)),
    visit("Claude-SearchBot", "no", 2),
  ];
}

/** Limits an agent, which then asks for more than it may spend by itself. @returns the id of the approval */
async function askFor(
  { db, clock }: TestService,
  accountId: string,
  { agent, name, texts }: { agent: string; name: string; texts: ExampleTexts },
): Promise<string> {
  const holder = holderOf({ clientId: null, name });
  const urls = Array.from({ length: 80 }, (_, index) => texts.url("archive", index));
  const draft = { kind: "index", mode: "standard", bing: true, yandex: true, dripDays: 0 } as const;
  const times = { now: clock.now(), service: clock.service() };
  const project = { ...draft, ...times, accountId, urls: packUrls(urls) };
  const words = { name: texts.name("The archive"), description: "80 URLs, standard" };
  const about = JSON.stringify(purposeOf(project, words));
  const call = {
    credential: agent,
    credentialName: name,
    holder,
    operation: "submit_urls",
    inputHash: hashInput(urls),
    digest: digestOf(project),
  };
  const approval = await db.tx(async (tx) => {
    await setLimits(tx, { accountId, holder }, SUGGESTED_LIMITS);
    return requestApproval(tx, { ...call, accountId, credits: 80, about, now: clock.now() });
  });
  return approval!.id;
}

/** Two subscriptions of an agent to events: one that is told, and one whose receiver has answered that it is gone. */
async function addSubscriptions({ db, clock, config }: TestService, accountId: string, maker: string): Promise<void> {
  const now = clock.now();
  const key = { accountId, maker, url: "https://agents.example.com/events", narrowing: {} };
  const wish = { secret: newWebhookSecret(), expiresAt: now + DAY, position: null, now };
  await db.tx(async (tx) => {
    const { eventSubscriptions: t } = tx.t;
    for (const type of ["project.completed", "watch.held"] as const)
      await saveSubscription(tx, secretBoxOf(config), { ...key, type }, wish);
    await tx.q.update(t).set({ suspendedAt: now }).where(eq(t.type, "watch.held"));
  });
}

/** Two webhooks of the person: one that fails, with its deliveries, and one that is paused. @returns the id of the first */
async function addWebhook({ db, clock, config }: TestService, accountId: string, description: string): Promise<string> {
  const now = clock.now();
  const box = secretBoxOf(config);
  const maker = { accountId, maker: await ownerOf(db, accountId), now };
  const types = ["project.completed", "links.dropped"] as const;
  return db.tx(async (tx) => {
    const { webhookDeliveries: deliveries, webhooks } = tx.t;
    const paused = {
      url: "https://hooks.example.com/beckon/paused",
      types,
      description: "",
      status: "paused",
    } as const;
    await createWebhook(tx, box, { ...maker, ...paused });
    const url = "https://hooks.example.com/beckon";
    const { row } = await createWebhook(tx, box, { ...maker, url, types: null, description, status: "active" });
    const failure = { lastFailureAt: now, lastFailureStatus: 503, lastFailureReason: "server_error" };
    await tx.q
      .update(webhooks)
      .set({ lastSuccessAt: now - HOUR, failingSince: now, ...failure })
      .where(eq(webhooks.id, row.id));
    await queuePing(tx, row, now);
    await queuePing(tx, row, now);
    const attempts = [{ at: now, status: 503, ms: 1_204, reason: "server_error" }];
    await tx.q.update(deliveries).set({ attempts: JSON.stringify(attempts), nextAt: now + HOUR });
    const [first] = await tx.q.select().from(deliveries).where(eq(deliveries.targetId, row.id)).limit(1);
    const arrived = JSON.stringify([{ at: now - HOUR, status: 204, ms: 87, reason: null }]);
    await tx.q
      .update(deliveries)
      .set({ status: "succeeded", attempts: arrived, nextAt: null })
      .where(eq(deliveries.id, first!.id));
    return row.id;
  });
}
