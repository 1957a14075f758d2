import type { AnyOperation } from "../src/contract/operation.ts";
import addSite from "./add-site.ts";
import buyCredits from "./buy-credits.ts";
import cancelLinks from "./cancel-links.ts";
import checkUrls from "./check-urls.ts";
import deleteShare from "./delete-share.ts";
import deleteWebhook from "./delete-webhook.ts";
import estimateCost from "./estimate-cost.ts";
import getAccount from "./get-account.ts";
import getCoverage from "./get-coverage.ts";
import getDirectPrice from "./get-direct-price.ts";
import getExperiment from "./get-experiment.ts";
import getLink from "./get-link.ts";
import getOrder from "./get-order.ts";
import getPricing from "./get-pricing.ts";
import getProject from "./get-project.ts";
import getReport from "./get-report.ts";
import getSpendReport from "./get-spend-report.ts";
import getSpending from "./get-spending.ts";
import getWatch from "./get-watch.ts";
import importVisits from "./import-visits.ts";
import listActivity from "./list-activity.ts";
import listDeliveries from "./list-deliveries.ts";
import listEvents from "./list-events.ts";
import listLedger from "./list-ledger.ts";
import listLinks from "./list-links.ts";
import listOrders from "./list-orders.ts";
import listProjects from "./list-projects.ts";
import listShares from "./list-shares.ts";
import listSites from "./list-sites.ts";
import listWatches from "./list-watches.ts";
import listWebhooks from "./list-webhooks.ts";
import notifyUrls from "./notify-urls.ts";
import payDirect from "./pay-direct.ts";
import readSitemap from "./read-sitemap.ts";
import redeliverEvent from "./redeliver-event.ts";
import resubmit from "./resubmit.ts";
import runWatch from "./run-watch.ts";
import saveWebhook from "./save-webhook.ts";
import search from "./search.ts";
import shareResults from "./share-results.ts";
import submitSitemap from "./submit-sitemap.ts";
import submitUrls from "./submit-urls.ts";
import updateProject from "./update-project.ts";
import watchSitemap from "./watch-sitemap.ts";

/** The product, in the order in which a newcomer should read it. */
export const operations: readonly AnyOperation[] = [
  getAccount,
  getSpending,
  getPricing,
  estimateCost,
  submitUrls,
  checkUrls,
  readSitemap,
  submitSitemap,
  listProjects,
  getProject,
  listLinks,
  getLink,
  getReport,
  resubmit,
  getExperiment,
  cancelLinks,
  getCoverage,
  listEvents,
  addSite,
  listSites,
  notifyUrls,
  importVisits,
  buyCredits,
  listLedger,
  listOrders,
  getOrder,
  getDirectPrice,
  payDirect,
  watchSitemap,
  listWatches,
  getWatch,
  runWatch,
  saveWebhook,
  listWebhooks,
  deleteWebhook,
  listDeliveries,
  redeliverEvent,
  search,
  updateProject,
  getSpendReport,
  listActivity,
  shareResults,
  listShares,
  deleteShare,
];
