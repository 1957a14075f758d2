import { requestOf } from "../../../src/contract/example.ts";
import type { AnyOperation, Effect } from "../../../src/contract/operation.ts";
import { foldCoverage } from "../../../src/domain/coverage/fold.ts";
import { principalOfKey } from "../../../src/domain/credentials/identify.ts";
import type { CardProcessor } from "../../../src/domain/payments/cards/card-processor.ts";
import { sandboxProcessor } from "../../../src/domain/payments/cards/sandbox/processor.ts";
import { createShare } from "../../../src/domain/shares/shares.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { decideNewest } from "../a2a/approvals.ts";
import { urlset } from "../network/sitemap-server.ts";
import { DIRECT, FakeDirectPayments } from "../payments/fake-direct-payments.ts";
import { testChecker } from "./checker.ts";
import { type TestService, testService } from "./service.ts";

/** A service on which the documented examples of the operations can be called. */
export interface ExampleService {
  readonly service: TestService;
  readonly key: string;
  /** Ids and addresses of the documents, each with the real one in this service. */
  readonly names: ReadonlyMap<string, string>;
  /** Replaces the ids of the documents by the real ones, in a text to be sent. */
  real(text: string): string;
  /** Replaces the real ids by the ids of the documents, in a text that was answered. */
  madeUp(text: string): string;
}

const PAGES = ["https://example.com/", "https://example.com/about", "https://example.com/contact"];
/** Their fates in the sandbox, in the same order: never found, found in the first hour, found by day 14. */
const FATES = ["never", "hour", "day_14"];

/**
 * Starts a service with an account that has a completed project, one just begun, an order, a site and a sitemap.
 * @param effect of the operation to be called: one that cancels gets the project just begun, any other the completed one
 * @param publishUrl as for testService
 * @param withExperiment whether the account has a decided experiment, too
 */
export async function startExampleService(
  effect: Effect,
  publishUrl = false,
  withExperiment = false,
): Promise<ExampleService> {
  const payments: { cards: CardProcessor | null; direct: FakeDirectPayments } = {
    cards: null,
    direct: new FakeDirectPayments(() => service.clock.now()),
  };
  const resolve = async () => [{ address: "93.184.215.14", family: 4 }];
  const service = await testService({ config: { direct: DIRECT }, payments, publishUrl, httpOverrides: { resolve } });
  const quiet = { info() {}, warn() {}, error() {} };
  payments.cards = sandboxProcessor({ ...service, log: quiet });
  const { id: account, key } = await service.account({ credits: 150 });
  const experiment = withExperiment ? await startExperiment(service, key) : null;
  const urls = PAGES.map((url, i) => `${url}?sandbox=${FATES[i]}`);
  const { json: made } = await service.request("POST", "/projects", { key, body: { urls, name: "example.com" } });
  await testChecker(service).until(service.clock.service() + 16 * DAY);
  const later = PAGES.map((url) => `${url}?page=2`);
  const { json: begun } = await service.request("POST", "/projects", { key, body: { urls: later, drip_days: 7 } });
  await service.request("POST", "/sites", { key, body: { host: "www.example.com" } });
  // For the one that sends in its name; the others show a site before its key file is placed.
  if (effect === "change") await service.db.tx(({ q, t: { sites } }) => q.update(sites).set({ status: "verified" }));
  const hook = { url: "https://www.example.com/hooks/beckon" };
  const { json: webhook } = await service.request("POST", "/webhooks", { key, body: hook });
  const sitemap = service.site.serve("/sitemap.xml", urlset(PAGES));
  const { json: watched } = await service.request("POST", "/watches", { key, body: { sitemap_url: sitemap } });
  await service.request("POST", `/watches/${watched.watch.id}/run`, { key, body: {} });
  const share = await shareOf(service, key, made.project.id);
  await foldCoverage(service.db);
  const [{ json: links }, { json: orders }, { json: me }] = await Promise.all([
    service.request("GET", `/projects/${made.project.id}/links?status=not_indexed`, { key }),
    service.request("GET", "/orders", { key }),
    service.request("GET", "/account", { key }),
  ]);
  const names = new Map<string, string>([
    ["https://example.com/sitemap.xml", sitemap],
    ["lnk_0123456789abc_0", links.links[0].id],
    ["prj_0123456789abc", effect === "cancel" ? begun.project.id : made.project.id],
    ["wat_0123456789abcdefghjk", watched.watch.id],
    ...(experiment ? await namesOf(service, key, experiment) : []),
    ["wh_0123456789abcdefghjk", webhook.webhook.id],
    ["shr_0123456789abcdefghjk", share],
    ["ord_0123456789abcdefghjk", orders.orders[0].id],
    ["acc_0123456789abcdefghjk", account],
    ["person@example.com", me.email],
    ['"person"', `"${me.name}"`],
  ]);
  const replaced = (text: string, from: 0 | 1) =>
    [...names].reduce((so, pair) => so.replaceAll(pair[from], pair[1 - from]!), text);
  return { service, key, names, real: (text) => replaced(text, 0), madeUp: (text) => replaced(text, 1) };
}

/** A share of a project that a key has made. @returns its id */
export async function shareOf({ db, clock }: TestService, key: string, projectId: string): Promise<string> {
  const now = clock.now();
  const caller = (await principalOfKey(db, key, now))!;
  const share = { caller, projectId, host: null, title: "example.com", from: "", days: 30, now };
  return (await db.tx((tx) => createShare(tx, share))).row.id;
}

/** Gives the yes of a person to the documented call of an operation that needs it. */
export async function approveExample({ service, key, names, real }: ExampleService, operation: AnyOperation) {
  if (!operation.asksApproval) return;
  const { path, body } = requestOf(operation);
  const sent = { key, ...(body ? { body: JSON.parse(real(JSON.stringify(body))) } : {}) };
  await service.request(operation.rest.method, real(path), sent);
  await decideNewest(service, names.get("acc_0123456789abcdefghjk")!);
}

/** Of its pages Google finds half by itself, and a quarter if they are sent. Each folder is held out in the same proportion. */
async function startExperiment({ request }: TestService, key: string): Promise<string> {
  const folder = (fate: string, count: number) =>
    Array.from({ length: count }, (_, i) => `https://www.example.com/${fate}/${i}?sandbox=${fate}`);
  const urls = [...folder("day_4", 50), ...folder("only_sent", 25), ...folder("never", 25)];
  return (await request("POST", "/projects", { key, body: { urls, holdout_percent: 20 } })).json.experiment.id;
}

/** The names of the documents for an experiment and its projects. */
async function namesOf({ request }: TestService, key: string, id: string): Promise<[string, string][]> {
  const { json } = await request("GET", `/experiments/${id}`, { key });
  return [
    ["exp_0123456789abcdefghjk", id],
    ["prj_2345678abcdef", json.project_id],
    ["prj_3456789abcdef", json.control_project_id],
  ];
}
