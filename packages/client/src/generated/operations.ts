// biome-ignore-all format: generated
// Written by `npm run generate` from the operations in tools/.
import type { OperationRow } from "../call-options.ts";
import type { Operations } from "./calls.ts";

/** How each operation is called over REST. */
export const OPERATIONS: { readonly [Name in keyof Operations]: OperationRow } = {
  getAccount: {"name":"get_account","method":"GET","path":"/account","effect":"read","takesKey":false,"page":null,"formats":[]},
  getSpending: {"name":"get_spending","method":"GET","path":"/spending","effect":"read","takesKey":false,"page":null,"formats":[]},
  getPricing: {"name":"get_pricing","method":"GET","path":"/pricing","effect":"read","takesKey":false,"page":null,"formats":[]},
  estimateCost: {"name":"estimate_cost","method":"POST","path":"/estimate","effect":"read","takesKey":false,"page":null,"formats":[]},
  submitUrls: {"name":"submit_urls","method":"POST","path":"/projects","effect":"spend","takesKey":true,"page":null,"formats":[]},
  checkUrls: {"name":"check_urls","method":"POST","path":"/checks","effect":"spend","takesKey":true,"page":null,"formats":[]},
  readSitemap: {"name":"read_sitemap","method":"POST","path":"/sitemaps/read","effect":"read","takesKey":false,"page":{"list":"urls","by":"offset","limit":10000},"formats":[]},
  submitSitemap: {"name":"submit_sitemap","method":"POST","path":"/projects/from-sitemap","effect":"spend","takesKey":true,"page":null,"formats":[]},
  listProjects: {"name":"list_projects","method":"GET","path":"/projects","effect":"read","takesKey":false,"page":{"list":"projects","by":"offset","limit":200},"formats":["csv","json"]},
  getProject: {"name":"get_project","method":"GET","path":"/projects/{project_id}","effect":"read","takesKey":false,"page":null,"formats":[]},
  listLinks: {"name":"list_links","method":"GET","path":"/projects/{project_id}/links","effect":"read","takesKey":false,"page":{"list":"links","by":"offset","limit":500},"formats":["csv","json"]},
  getLink: {"name":"get_link","method":"GET","path":"/projects/{project_id}/links/{link_id}","effect":"read","takesKey":false,"page":null,"formats":[]},
  getReport: {"name":"get_report","method":"GET","path":"/projects/{project_id}/report","effect":"read","takesKey":false,"page":null,"formats":["csv"]},
  resubmit: {"name":"resubmit","method":"POST","path":"/projects/{project_id}/resubmit","effect":"spend","takesKey":true,"page":null,"formats":[]},
  cancelLinks: {"name":"cancel_links","method":"POST","path":"/projects/{project_id}/cancel","effect":"cancel","takesKey":false,"page":null,"formats":[]},
  getCoverage: {"name":"get_coverage","method":"GET","path":"/coverage","effect":"read","takesKey":false,"page":{"list":"hosts","by":"offset","limit":100},"formats":[]},
  listEvents: {"name":"list_events","method":"GET","path":"/events","effect":"read","takesKey":false,"page":{"list":"events","by":"cursor","limit":200},"formats":[]},
  addSite: {"name":"add_site","method":"POST","path":"/sites","effect":"change","takesKey":false,"page":null,"formats":[]},
  listSites: {"name":"list_sites","method":"GET","path":"/sites","effect":"read","takesKey":false,"page":{"list":"sites","by":"offset","limit":200},"formats":[]},
  notifyUrls: {"name":"notify_urls","method":"POST","path":"/notifications","effect":"change","takesKey":false,"page":null,"formats":[]},
  importVisits: {"name":"import_visits","method":"POST","path":"/sites/{host}/visits","effect":"change","takesKey":false,"page":null,"formats":[],"bodyField":"log"},
  buyCredits: {"name":"buy_credits","method":"POST","path":"/checkout","effect":"purchase","takesKey":true,"page":null,"formats":[]},
  listLedger: {"name":"list_ledger","method":"GET","path":"/ledger","effect":"read","takesKey":false,"page":{"list":"entries","by":"offset","limit":200},"formats":[]},
  listOrders: {"name":"list_orders","method":"GET","path":"/orders","effect":"read","takesKey":false,"page":{"list":"orders","by":"offset","limit":200},"formats":[]},
  getOrder: {"name":"get_order","method":"GET","path":"/orders/{order_id}","effect":"read","takesKey":false,"page":null,"formats":[]},
  getDirectPrice: {"name":"get_direct_price","method":"GET","path":"/credits/x402","effect":"read","takesKey":false,"page":null,"formats":[]},
  payDirect: {"name":"pay_direct","method":"POST","path":"/credits/x402","effect":"purchase","takesKey":false,"page":null,"formats":[]},
  watchSitemap: {"name":"watch_sitemap","method":"POST","path":"/watches","effect":"change","takesKey":false,"page":null,"formats":[]},
  listWatches: {"name":"list_watches","method":"GET","path":"/watches","effect":"read","takesKey":false,"page":{"list":"watches","by":"offset","limit":200},"formats":[]},
  getWatch: {"name":"get_watch","method":"GET","path":"/watches/{watch_id}","effect":"read","takesKey":false,"page":null,"formats":[]},
  runWatch: {"name":"run_watch","method":"POST","path":"/watches/{watch_id}/run","effect":"spend","takesKey":true,"page":null,"formats":[]},
  saveWebhook: {"name":"save_webhook","method":"POST","path":"/webhooks","effect":"change","takesKey":false,"page":null,"formats":[]},
  listWebhooks: {"name":"list_webhooks","method":"GET","path":"/webhooks","effect":"read","takesKey":false,"page":{"list":"webhooks","by":"offset","limit":200},"formats":[]},
  deleteWebhook: {"name":"delete_webhook","method":"DELETE","path":"/webhooks/{webhook_id}","effect":"change","takesKey":false,"page":null,"formats":[]},
  listDeliveries: {"name":"list_deliveries","method":"GET","path":"/webhooks/{webhook_id}/deliveries","effect":"read","takesKey":false,"page":{"list":"deliveries","by":"offset","limit":200},"formats":[]},
  redeliverEvent: {"name":"redeliver_event","method":"POST","path":"/webhooks/{webhook_id}/redeliver","effect":"change","takesKey":false,"page":null,"formats":[]},
};
