import { urlset } from "../network/sitemap-server.ts";
import { endedProject } from "./ended-project.ts";
import { shareOf } from "./example-service.ts";
import type { TestService } from "./service.ts";
import type { SurfaceClient } from "./surface-client.ts";

/** Ids of what an account has. */
export interface Belongings {
  readonly project: string;
  /** A project of two URLs that are not indexed. */
  readonly ended: string;
  readonly link: string;
  readonly order: string;
  readonly webhook: string;
  readonly watch: string;
  readonly share: string;
  readonly experiment: string;
  /** Address of a sitemap with the two pages of `urls`. */
  readonly sitemap: string;
}

export interface Example {
  /** A valid input, as small as can be. */
  readonly input: (own: Belongings) => Record<string, unknown>;
  /** Another one, where a call is remembered by its input. */
  readonly other?: Record<string, unknown>;
  /** Credits that the input spends. */
  readonly cost?: number;
}

const urls = ["https://example.com/1", "https://example.com/2"];
const eleven = Array.from({ length: 11 }, (_, i) => `https://example.com/${i}`);

/** One call of every operation; the refusals of test/refusals.test.ts are tried with it, over every surface. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  get_account: { input: () => ({}) },
  get_pricing: { input: () => ({}) },
  get_spending: { input: () => ({}) },
  estimate_cost: { input: () => ({}) },
  submit_urls: { input: () => ({ urls }), other: { urls: eleven }, cost: 2 },
  check_urls: { input: () => ({ urls: eleven }), other: { urls }, cost: 2 },
  read_sitemap: { input: ({ sitemap }) => ({ sitemap_url: sitemap }) },
  submit_sitemap: {
    input: ({ sitemap }) => ({ sitemap_url: sitemap }),
    other: { skip_already_submitted: true },
    cost: 2,
  },
  list_projects: { input: () => ({}) },
  get_project: { input: ({ project }) => ({ project_id: project }) },
  list_links: { input: ({ project }) => ({ project_id: project }) },
  get_link: { input: ({ project, link }) => ({ project_id: project, link_id: link }) },
  get_experiment: { input: ({ experiment }) => ({ experiment_id: experiment }) },
  get_report: { input: ({ project }) => ({ project_id: project }) },
  resubmit: {
    input: ({ ended }) => ({ project_id: ended }),
    other: { reasons: ["no_match"] },
    cost: 2,
  },
  cancel_links: { input: ({ project }) => ({ project_id: project }) },
  get_coverage: { input: () => ({}) },
  add_site: { input: () => ({ host: "example.com" }) },
  list_sites: { input: () => ({}) },
  notify_urls: { input: () => ({ urls, event: "updated" }) },
  import_visits: { input: () => ({ host: "example.com", log: "" }) },
  buy_credits: { input: () => ({ pack: "basic" }), other: { pack: "pro" } },
  list_events: { input: () => ({}) },
  list_ledger: { input: () => ({}) },
  list_orders: { input: () => ({}) },
  get_order: { input: ({ order }) => ({ order_id: order }) },
  get_direct_price: { input: () => ({}) },
  watch_sitemap: { input: ({ sitemap }) => ({ sitemap_url: sitemap, credits_per_month: 10 }) },
  list_watches: { input: () => ({}) },
  get_watch: { input: ({ watch }) => ({ watch_id: watch }) },
  run_watch: { input: ({ watch }) => ({ watch_id: watch }), other: { dry_run: true } },
  save_webhook: { input: () => ({ url: "http://127.0.0.1:9/hooks" }) },
  list_webhooks: { input: () => ({}) },
  delete_webhook: { input: ({ webhook }) => ({ webhook_id: webhook }) },
  list_deliveries: { input: ({ webhook }) => ({ webhook_id: webhook }) },
  redeliver_event: { input: ({ webhook }) => ({ webhook_id: webhook, since: "2026-01-01T00:00:00Z" }) },
  update_project: { input: ({ project }) => ({ project_id: project, tags: ["client"] }) },
  get_spend_report: { input: () => ({}) },
  list_activity: { input: () => ({}) },
  share_results: { input: ({ project }) => ({ project_id: project }) },
  list_shares: { input: () => ({}) },
  delete_share: { input: ({ share }) => ({ share_id: share }) },
  search: { input: () => ({ q: "example.com/1" }) },
  pay_direct: { input: () => ({ pack: "basic" }) },
};

/** Gives a paid account with credits one of each thing. */
export async function belongingsOf(client: SurfaceClient, key: string, service: TestService): Promise<Belongings> {
  const { db, site } = service;
  const { body: receipt } = await client.call("submit_urls", { urls }, { key });
  const held = { urls: Array.from({ length: 40 }, (_, i) => `https://example.org/${i}`), holdout_percent: 50 };
  const { body: halved } = await client.call("submit_urls", held, { key });
  const { body: page } = await client.call("list_links", { project_id: receipt.project.id }, { key });
  const { body: orders } = await client.call("list_orders", {}, { key });
  const { body: saved } = await client.call("save_webhook", { url: "http://127.0.0.1:9/" }, { key });
  const sitemap = site.serve("/sitemap.xml", urlset(urls));
  const { body: watched } = await client.call("watch_sitemap", { sitemap_url: sitemap }, { key });
  return {
    watch: watched.watch.id,
    experiment: halved.experiment.id,
    project: receipt.project.id,
    ended: await endedProject(client, key, db),
    link: page.links[0].id,
    order: orders.orders[0].id,
    webhook: saved.webhook.id,
    share: await shareOf(service, key, receipt.project.id),
    sitemap,
  };
}
