import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import { call } from "../../../src/contract/call.ts";
import { makeExport } from "../../../src/contract/exports/make-export.ts";
import { approvalsNow } from "../../../src/domain/credentials/ended-askers.ts";
import { recordEvents } from "../../../src/domain/events/record.ts";
import { relayEvents } from "../../../src/domain/events/relay.ts";
import { requestExport } from "../../../src/domain/exports/exports.ts";
import { claimExport } from "../../../src/domain/exports/lease.ts";
import { countInbox } from "../../../src/domain/inbox/count.ts";
import { createProject } from "../../../src/domain/projects/create.ts";
import { openShare } from "../../../src/domain/shares/open.ts";
import { createShare } from "../../../src/domain/shares/shares.ts";
import { approvalsOf, requestApproval } from "../../../src/domain/spending/approvals.ts";
import { setLimits } from "../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../src/domain/spending/limits.ts";
import { queuePushesOf } from "../../../src/domain/tasks/queue-pushes.ts";
import { changeHook } from "../../../src/domain/watches/hooks.ts";
import { saveWatch } from "../../../src/domain/watches/save-watch.ts";
import { queueDeliveries } from "../../../src/domain/webhooks/queue.ts";
import { WebhookSender } from "../../../src/domain/webhooks/sender.ts";
import { webhookTargets } from "../../../src/domain/webhooks/webhook-targets.ts";
import { createWebhook } from "../../../src/domain/webhooks/webhooks.ts";
import { Watcher } from "../../../src/indexing/watches/watcher.ts";
import { timesOf } from "../../../src/platform/clock.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { newId } from "../../../src/platform/ids.ts";
import { creatorOf } from "../../../src/platform/principal.ts";
import { packUrls } from "../../../src/platform/urls/packed-urls.ts";
import { HttpSubscriptions, type SubscriptionDeps } from "../../../src/surfaces/mcp/subscriptions.ts";
import saveWebhook from "../../../tools/save-webhook.ts";
import { decideNewest, testResumer } from "../a2a/approvals.ts";
import { pushSender } from "../a2a/push-sender.ts";
import { a2aClient, message } from "../a2a/test-bindings.ts";
import { asOwner } from "../database/people.ts";
import { message as mcp, modern, poster } from "../mcp/post.ts";
import type { HookReceiver } from "../network/hook-receiver.ts";
import { urlset } from "../network/sitemap-server.ts";
import type { manualTimers } from "../service/manual-timers.ts";
import type { TestService } from "../service/service.ts";
import { NEW_PROJECT, sendList } from "../website/list-form.ts";
import type { Actor, ActorKind } from "./actors.ts";
import { beginAskingForEvents, beginSubscribed } from "./event-activities.ts";

export interface Stage {
  readonly service: TestService;
  readonly timers: ReturnType<typeof manualTimers>;
  readonly receiver: HookReceiver;
}

/** Something that goes on when access ends. */
export interface Activity {
  readonly by: readonly ActorKind[];
  /** Whether the person has set it up, and it goes on without a session. */
  readonly needsNoSession?: true;
  /** Whether it spends, or goes on by itself to do so. */
  readonly spends?: true;
  /** Ends of a person's access that concern it; default: all. Who reads an export is asked for the session again. */
  readonly endsWith?: readonly string[];
  /** Begins it. @returns what lets it go on, and says whether it acted after that */
  begin(stage: Stage, actor: Actor): Promise<() => Promise<boolean>>;
}

const PAGES = ["https://example.com/1", "https://example.com/2"];

async function projectsOf({ db }: TestService, accountId: string): Promise<number> {
  const { projects } = db.t;
  return (await db.q.select({ no: projects.no }).from(projects).where(eq(projects.accountId, accountId))).length;
}

/** Does work that reads a sitemap, whose server answers only when it is told to go on. */
async function duringSitemap(
  { service }: Stage,
  { accountId }: Actor,
  work: (url: string) => Promise<unknown>,
  path = newPath(),
) {
  const released = new Promise<() => void>((asked) => {
    const release = new Promise<void>(
      (letGo) =>
        void service.site.serve(path, (res) => {
          asked(letGo);
          void release.then(() => answer(res));
        }),
    );
  });
  const before = await projectsOf(service, accountId);
  const done = work(service.site.url + path);
  const release = await Promise.race([released, done]);
  return async () => {
    if (typeof release === "function") release();
    await done;
    return (await projectsOf(service, accountId)) > before;
  };
}

function answer(res: ServerResponse): void {
  res.writeHead(200, { "Content-Type": "application/xml" }).end(urlset(PAGES));
}

const newPath = () => `/${randomUUID()}.xml`;

/** A call that was admitted, and has yet to change something. */
async function beginChange({ service }: Stage, { accountId, principal }: Actor) {
  const { db, config } = service;
  const http = createHttpClient(config);
  const input = { url: `https://8.8.8.8/${randomUUID()}` };
  const made = { operation: saveWebhook, input, audience: "program", principal, requestsToday: 0 } as const;
  return async () => {
    await call({ ...service, http }, made).catch(refusedOnly);
    await http.close();
    const { webhooks } = db.t;
    return (await db.q.select().from(webhooks).where(eq(webhooks.accountId, accountId))).length > 0;
  };
}

/** A spend of work that no call has begun, as a recheck of a watch is. */
async function beginSpend({ service }: Stage, { accountId, principal }: Actor) {
  const { db, clock } = service;
  const spender = { principal, operation: "run_watch", inputHash: () => "" };
  return async () => {
    const times = { now: clock.now(), service: clock.service() };
    const project = { kind: "check", accountId, urls: packUrls(PAGES), name: "", spender, ...times } as const;
    await db.tx((tx) => createProject(tx, project)).catch(refusedOnly);
    return (await projectsOf(service, accountId)) > 0;
  };
}

function refusedOnly(thrown: unknown): void {
  if (!(thrown instanceof Refusal)) throw thrown;
}

/** A form that was counted, and is sent. */
async function beginForm(stage: Stage, actor: Actor) {
  const path = newPath();
  const fields = { source: "sitemap", sitemap_url: stage.service.site.serve(path, answer) };
  const counted = await sendList(actor.user, await actor.user.get(NEW_PROJECT), { fields });
  return duringSitemap(stage, actor, () => sendList(actor.user, counted), path);
}

/** A stream acts as long as it is open after the next look. */
async function watchStream({ timers }: Stage, response: Response) {
  const seen = { isOver: false };
  const over = () => {
    seen.isOver = true;
  };
  void (async () => {
    for await (const _ of response.body!);
  })().then(over, over);
  await timers.fire();
  return async () => {
    await timers.fire();
    for (let turns = 0; turns < 200 && !seen.isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
    return !seen.isOver;
  };
}

async function projectBy({ service }: Stage, { secret }: Actor): Promise<string> {
  const { json } = await service.request("POST", "/projects", { key: secret, body: { urls: [PAGES[0]] } });
  return json.project.id;
}

async function beginListening(stage: Stage, actor: Actor) {
  const notifications = { resourceSubscriptions: [`beckon://projects/${await projectBy(stage, actor)}`] };
  return beginStream(stage, actor, mcp("subscriptions/listen", { notifications }));
}

async function beginStream(stage: Stage, actor: Actor, request: ReturnType<typeof mcp>) {
  const { body, headers } = modern(request);
  const sent = { ...headers, Authorization: `Bearer ${actor.secret}`, Accept: "application/json, text/event-stream" };
  const init = { method: "POST", headers: { ...sent, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return watchStream(stage, await fetch(`${stage.service.url}/mcp`, init));
}

async function beginSubscription(stage: Stage, { secret }: Actor) {
  const { url } = stage.service;
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const { headers } = await poster(url)(mcp("initialize", params), { key: secret });
  const session = headers.get("mcp-session-id")!;
  const sent = { Authorization: `Bearer ${secret}`, Accept: "text/event-stream", "Mcp-Session-Id": session };
  return watchStream(stage, await fetch(`${url}/mcp`, { headers: sent }));
}

/** A call of `resources/subscribe` that was admitted, and has yet to write its subscription. */
async function beginSubscribing(stage: Stage, actor: Actor) {
  const { db, clock } = stage.service;
  const uri = `beckon://projects/${await projectBy(stage, actor)}`;
  const { accountId, principal } = actor;
  const session = { id: newId("mcp"), accountId, maker: principal.credential.id };
  const deps: SubscriptionDeps = { services: { db, clock }, updates: undefined as never, streams: undefined as never };
  const request = { caller: undefined as never, principal, session, stopping: new AbortController().signal };
  return async () => {
    await new HttpSubscriptions(deps, request).subscribe(uri).catch(refusedOnly);
    const { resourceSubscriptions: of } = db.t;
    return (await db.q.select().from(of).where(eq(of.accountId, accountId))).length > 0;
  };
}

async function beginTaskStream(stage: Stage, actor: Actor) {
  const text = `watch ${await projectBy(stage, actor)}`;
  const sent = { message: message("watch", { messageId: randomUUID(), parts: [{ text }] }) };
  return watchStream(
    stage,
    await a2aClient(`${stage.service.url}/a2a`, actor.secret).openRpc("SendStreamingMessage", sent),
  );
}

async function beginWebhook({ service, receiver }: Stage, { accountId, principal }: Actor) {
  const { db, clock, config } = service;
  const [box, path] = [secretBoxOf(config), `/${randomUUID()}`];
  const fields = { url: `${receiver.url}${path}`, types: null, description: "", status: "active" } as const;
  const maker = creatorOf(principal);
  await db.tx((tx) => createWebhook(tx, box, { ...fields, accountId, maker, now: clock.now() }));
  return async () => {
    const event = { type: "credits.low", data: { balance: 1, threshold: 100 } } as const;
    await db.tx((tx) => recordEvents(tx, accountId, [event], clock.now()));
    await relayEvents(db, [queueDeliveries], () => clock.now());
    const http = createHttpClient(config);
    await new WebhookSender({ db, clock, http, targets: [webhookTargets(box)], log: { error: fail } }).drain();
    await http.close();
    return receiver.received.some((one) => one.path === path);
  };
}

async function beginPush(stage: Stage, actor: Actor) {
  const { service, receiver } = stage;
  const agent = a2aClient(`${service.url}/a2a`, actor.secret);
  const text = `watch ${await projectBy(stage, actor)}`;
  const sent = { message: message("watch", { messageId: randomUUID(), parts: [{ text }] }) };
  const configuration = { returnImmediately: true };
  const { task } = (await agent.rpc("SendMessage", { ...sent, configuration })).json.result;
  const path = `/${randomUUID()}`;
  await agent.rpc("CreateTaskPushNotificationConfig", { taskId: task.id, url: `${receiver.url}${path}` });
  const sender = pushSender(service);
  return async () => {
    await service.db.tx((tx) => queuePushesOf(tx, task.id, service.clock.now()));
    await sender.send();
    await sender.close();
    return receiver.received.some((one) => one.path === path);
  };
}

/** @param newPages "list": it spends nothing, and acts by taking note of what it has read */
async function beginWatch(stage: Stage, actor: Actor, newPages: "submit" | "list" = "submit") {
  const { db, clock, config } = stage.service;
  const http = createHttpClient(config);
  const watcher = new Watcher({ db, clock, http, config }, { error: fail });
  const goOn = await duringSitemap(stage, actor, async (url) => {
    const change = { firstRun: "submit", newPages } as const;
    const times = { now: clock.now(), service: clock.service() };
    await db.tx((tx) => saveWatch(tx, { principal: actor.principal, watchId: undefined, url, change, ...times }));
    await watcher.drain();
  });
  return async () => {
    await goOn();
    await http.close();
    const { watchRuns } = db.t;
    return (await db.q.select().from(watchRuns).where(eq(watchRuns.accountId, actor.accountId))).length > 0;
  };
}

async function beginExport({ service }: Stage, { accountId }: Actor) {
  const { db, clock } = service;
  await db.tx(async (tx) => requestExport(tx, await asOwner(tx, accountId), clock.now()));
  // Exports of other tests wait as well.
  let held = await claimExport(db, randomUUID(), clock.now());
  while (held?.accountId !== accountId) held = await claimExport(db, randomUUID(), clock.now());
  const own = held;
  return async () => {
    const made = makeExport(service, own, new AbortController().signal, async () => undefined);
    return made.then(
      () => true,
      () => false,
    );
  };
}

async function beginApproved({ service }: Stage, { accountId, secret, principal }: Actor) {
  const { holder } = principal.credential;
  const limits = { ...NO_LIMITS, approveAbove: 1 };
  await service.db.tx((tx) => setLimits(tx, { accountId, holder }, limits));
  const parts = [{ data: { skill: "submit_urls", input: { urls: PAGES } } }];
  const sent = { message: message("submit", { messageId: randomUUID(), parts }) };
  await a2aClient(`${service.url}/a2a`, secret).rpc("SendMessage", sent);
  await decideNewest(service, accountId);
  const resumer = testResumer(service);
  return async () => {
    await resumer.resume();
    await resumer.close();
    return (await projectsOf(service, accountId)) > 0;
  };
}

/** A question of the credential, which counts in the inbox as long as its page says that it waits. */
async function beginQuestion({ service: { db, clock } }: Stage, { accountId, principal: { credential } }: Actor) {
  const { id, name, holder } = credential;
  const call = { operation: "submit_urls", inputHash: "i", digest: "d", about: "{}", credits: 9 };
  const asked = { ...call, accountId, credential: id, credentialName: name, holder, now: clock.now() };
  await db.tx((tx) => requestApproval(tx, asked));
  return async () => {
    const owner = { accountId, personId: "", role: "owner" } as const;
    const { approvals } = await countInbox(db, owner, timesOf(clock));
    const shown = await approvalsNow(db, await approvalsOf(db, accountId, 1), clock.now());
    if (approvals !== shown.filter(({ status }) => status === "open").length) fail({ approvals, shown });
    return approvals > 0;
  };
}

function fail(details: object): never {
  throw new Error(JSON.stringify(details));
}

/** Whoever has the address of the share tries to read the results. */
async function beginShare({ service: { db, clock } }: Stage, { principal: caller }: Actor) {
  const made = { caller, projectId: null, host: "shop.example", title: "", from: "", days: 30, now: clock.now() };
  const { secret } = await db.tx(async (tx) => {
    const counts = { pages: 1, inGoogle: 1, notInGoogle: 0, asOf: 0, reasons: "{}", found: "{}" };
    await tx.q
      .insert(tx.t.coverageHosts)
      .values({ accountId: caller.accountId, host: "shop.example", ...counts })
      .onConflictDoNothing();
    return createShare(tx, made);
  });
  return async () => (await openShare(db, secret, clock.now())) !== null;
}

/** Whoever has the secret of a publish hook calls it. */
async function beginHook({ service: { db, clock, config, url: origin } }: Stage, { principal }: Actor) {
  const [now, box, url] = [clock.now(), secretBoxOf(config), "https://shop.example/sitemap.xml"];
  const { watch, secret } = await db.tx(async (tx) => {
    const times = { now, service: clock.service() };
    const saved = await saveWatch(tx, { principal, watchId: undefined, url, change: {}, ...times });
    return changeHook(tx, saved, { change: "new", principal, box, now });
  });
  return async () => (await fetch(`${origin}/hooks/${watch.id}/${secret}`, { method: "POST" })).status === 202;
}

const BY_CREDENTIAL = ["key", "app"] as const;

export const ACTIVITIES: Readonly<Record<string, Activity>> = {
  "a call in flight": {
    by: BY_CREDENTIAL,
    spends: true,
    begin: (stage, actor) =>
      duringSitemap(stage, actor, (sitemap_url) =>
        stage.service.request("POST", "/projects/from-sitemap", { key: actor.secret, body: { sitemap_url } }),
      ),
  },
  "a change in flight": { by: BY_CREDENTIAL, begin: beginChange },
  "a spend in flight": { by: BY_CREDENTIAL, spends: true, begin: beginSpend },
  "a form in flight": { by: ["person"], spends: true, begin: beginForm },
  "a stream of MCP": { by: BY_CREDENTIAL, begin: beginListening },
  "a stream of MCP Events": {
    by: BY_CREDENTIAL,
    begin: (stage, actor) => beginStream(stage, actor, mcp("events/stream", { name: "credits.low" })),
  },
  "a subscription to MCP Events": { by: BY_CREDENTIAL, begin: beginSubscribed },
  "a call of events/subscribe in flight": { by: BY_CREDENTIAL, begin: beginAskingForEvents },
  "a subscription of MCP": { by: BY_CREDENTIAL, begin: beginSubscription },
  "a call of resources/subscribe in flight": { by: BY_CREDENTIAL, begin: beginSubscribing },
  "a stream of A2A": { by: BY_CREDENTIAL, begin: beginTaskStream },
  "a webhook": { by: ["key", "app", "person"], needsNoSession: true, begin: beginWebhook },
  "a push configuration": { by: BY_CREDENTIAL, begin: beginPush },
  "a watch": {
    by: ["key", "app", "person"],
    needsNoSession: true,
    spends: true,
    begin: (stage, actor) => beginWatch(stage, actor),
  },
  "a watch that spends nothing": {
    by: BY_CREDENTIAL,
    spends: true,
    begin: (stage, actor) => beginWatch(stage, actor, "list"),
  },
  "a publish hook": { by: ["key", "app", "person"], needsNoSession: true, spends: true, begin: beginHook },
  "a share of results": { by: ["key", "app", "person"], needsNoSession: true, begin: beginShare },
  "an export": {
    by: ["person"],
    needsNoSession: true,
    endsWith: ["the deletion of the account is requested", "its person is removed from the account"],
    begin: beginExport,
  },
  "a question in the inbox": { by: BY_CREDENTIAL, begin: beginQuestion },
  "an approved call that waits": { by: BY_CREDENTIAL, spends: true, begin: beginApproved },
};
