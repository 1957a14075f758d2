import type { Effect } from "../../../src/contract/operation.ts";
import type { CardProcessor } from "../../../src/domain/payments/cards/card-processor.ts";
import { sandboxProcessor } from "../../../src/domain/payments/cards/sandbox/processor.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { urlset } from "../network/sitemap-server.ts";
import { DIRECT, PlayDirect } from "../payments/paying.ts";
import { testChecker } from "./checker.ts";
import { type TestService, testService } from "./service.ts";

/** A service on which the examples of the operations can be called as they are documented. */
export interface Stage {
  readonly service: TestService;
  readonly key: string;
  /** Ids and addresses made up for documents, each with what stands for it here. */
  readonly names: ReadonlyMap<string, string>;
  /** A text of a document, as it has to be sent here. */
  real(text: string): string;
  /** A text that was answered here, as a document shows it. */
  madeUp(text: string): string;
}

const PAGES = ["https://example.com/", "https://example.com/about", "https://example.com/contact"];
/** What becomes of each of them: never found, found at once, found by day 14. */
const FATES = ["never", "hour", "day_14"];

/**
 * An account with a project that has come to its end and one that has just begun, an order, a site and a sitemap.
 * @param effect of what will be called: what cancels is given the project that has begun, all else the other one
 * @param atHome as for testService
 */
export async function stage(effect: Effect, atHome = false): Promise<Stage> {
  const payments: { cards: CardProcessor | null; direct: PlayDirect } = { cards: null, direct: new PlayDirect() };
  const service = await testService({ config: { direct: DIRECT }, payments, atHome });
  const quiet = { info() {}, warn() {}, error() {} };
  payments.cards = sandboxProcessor({ ...service, log: quiet });
  const { id: account, key } = await service.account({ credits: 150 });
  const urls = PAGES.map((url, i) => `${url}?sandbox=${FATES[i]}`);
  const { json: made } = await service.request("POST", "/projects", { key, body: { urls, name: "example.com" } });
  await testChecker(service).until(service.clock.service() + 16 * DAY);
  const later = PAGES.map((url) => `${url}?page=2`);
  const { json: begun } = await service.request("POST", "/projects", { key, body: { urls: later, drip_days: 7 } });
  await service.request("POST", "/sites", { key, body: { host: "www.example.com" } });
  const [{ json: links }, { json: orders }, { json: me }] = await Promise.all([
    service.request("GET", `/projects/${made.project.id}/links?status=not_indexed`, { key }),
    service.request("GET", "/orders", { key }),
    service.request("GET", "/account", { key }),
  ]);
  const names = new Map<string, string>([
    ["https://example.com/sitemap.xml", service.site.serve("/sitemap.xml", urlset(PAGES))],
    ["lnk_0123456789abc_0", links.links[0].id],
    ["prj_0123456789abc", effect === "cancel" ? begun.project.id : made.project.id],
    ["ord_0123456789abcdefghjk", orders.orders[0].id],
    ["acc_0123456789abcdefghjk", account],
    ["person@example.com", me.email],
    ['"person"', `"${me.name}"`],
  ]);
  const replaced = (text: string, from: 0 | 1) =>
    [...names].reduce((so, pair) => so.replaceAll(pair[from], pair[1 - from]!), text);
  return { service, key, names, real: (text) => replaced(text, 0), madeUp: (text) => replaced(text, 1) };
}
