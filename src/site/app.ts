import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { Services } from "../contract/call.ts";
import { errorEnvelope, Refusal, toRefusal } from "../errors.ts";
import { CORS } from "../web/cors.ts";
import type { Log } from "../web/log.ts";
import { botPage } from "./bot.ts";
import { dashboardPage, projectPage } from "./dashboard.ts";
import { errorPage, errorsPage } from "./error-pages.ts";
import { homePage } from "./home.ts";
import { html } from "./html.ts";
import { layout, PAGE_HEADERS, type Page } from "./layout.ts";
import { pricingPage } from "./pricing.ts";
import { protectedResource, RESOURCES } from "./well-known.ts";

export interface SiteParts {
  readonly services: Services;
  readonly log: Log;
  readonly openApi: object;
}

/** Everything that is read by people or found by machines: pages and well-known documents. */
export function siteApp({ services, log, openApi }: SiteParts): Express {
  const { siteUrl } = services.config;
  const app = express();
  app.disable("x-powered-by");
  app.use((_req, res, next) => {
    res.set(PAGE_HEADERS);
    next();
  });

  app.get("/", page(homePage(siteUrl)));
  app.get("/pricing", page(pricingPage()));
  app.get("/bot", page(botPage(services.config)));
  app.get("/docs/errors", page(errorsPage()));
  app.get("/docs/errors/:code", (req, res, next) => {
    const found = errorPage(req.params.code);
    if (found) res.type("html").send(layout(found));
    else next();
  });
  app.get("/dashboard", page(dashboardPage(siteUrl)));
  app.get(
    "/dashboard/projects/:id",
    (req, res) => void res.type("html").send(layout(projectPage(siteUrl, req.params.id))),
  );

  app.get("/openapi.json", document(openApi));
  const metadata = "/.well-known/oauth-protected-resource";
  for (const path of ["", ...RESOURCES] as const) {
    app.get(`${metadata}${path}`, document(protectedResource(siteUrl, path)));
  }
  app.get("/healthz", async (_req, res) => {
    await services.db.q.select({ id: services.db.t.accounts.id }).from(services.db.t.accounts).limit(1);
    res.set("Cache-Control", "no-store").json({ status: "ok" });
  });

  app.use(() => {
    throw new Refusal("not_found", "There is no such page. Begin at the front page.");
  });
  app.use(failed(siteUrl, log));
  return app;
}

function page(content: Page): RequestHandler {
  const text = layout(content);
  return (_req, res) => void res.type("html").send(text);
}

/** A public document that any page may read. */
function document(content: object): RequestHandler {
  const text = JSON.stringify(content);
  return (_req, res) => void res.set(CORS).type("json").send(text);
}

/** Pages for people, the JSON envelope for programs. Express knows an error handler by its four parameters. */
function failed(siteUrl: string, log: Log): ErrorRequestHandler {
  return (thrown, req, res, _next) => {
    const refusal = isBadPath(thrown)
      ? new Refusal("not_found", "The address is not well encoded.")
      : toRefusal(thrown);
    if (refusal.code === "internal") log.error({ err: thrown, path: req.path }, "a page failed");
    res.status(refusal.status).vary("Accept");
    if (req.accepts(["html", "json"]) === "json") res.json(errorEnvelope(refusal, siteUrl));
    else
      res.type("html").send(
        layout({
          title: `${refusal.code} - Beckon`,
          body: html`<h1>${refusal.message}</h1><p><a href="/">Front page</a></p>`,
        }),
      );
  };
}

/** What express throws for a parameter that is not well percent-encoded. */
function isBadPath(thrown: unknown): boolean {
  return thrown instanceof URIError;
}
