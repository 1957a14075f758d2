import type { Router } from "express";
import { PATHS, receiptPath } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { buyPage } from "./buy.tsx";
import { buyPost } from "./buy-pack.tsx";
import { checkoutRoutes } from "./checkout-routes.ts";
import { creditsPage } from "./credits.tsx";
import { ledgerPage } from "./ledger.tsx";
import { orderPage } from "./order.tsx";
import { ordersPage } from "./orders.tsx";
import { receiptPage } from "./receipt.tsx";
import { downloadSpending, spendingPage, spendingPost } from "./spending.tsx";

/** The balance and its history, orders and packs, and where payments begin and end. */
export function creditRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.credits, creditsPage);
  get(PATHS.orders, ordersPage);
  get(`${PATHS.orders}/:id`, orderPage);
  get(receiptPath(":id"), receiptPage);
  get(PATHS.ledger, ledgerPage);
  get(PATHS.spending, spendingPage);
  post(PATHS.spending, "owners", spendingPost);
  get(`${PATHS.spending}.csv`, downloadSpending);
  get(PATHS.buy, buyPage, "purchase");
  post(PATHS.buy, "purchase", buyPost);
  router.use(checkoutRoutes(services, pages));
  return router;
}
