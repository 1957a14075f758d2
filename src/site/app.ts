import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { errorEnvelope, Refusal, toRefusal } from "../errors.ts";
import { CORS } from "../web/cors.ts";
import { authDocument } from "./auth-md.ts";
import { botPage } from "./bot.ts";
import { checkoutPages } from "./checkout/pages.ts";
import { claimPages } from "./claim/pages.ts";
import { dashboardPages } from "./dashboard/pages.ts";
import { errorPage, errorsPage } from "./error-pages.ts";
import { homePage } from "./home.ts";
import { html } from "./html.ts";
import { layout, type Page, pageHeaders } from "./layout.ts";
import { oauthPages } from "./oauth/pages.ts";
import { peoplePages } from "./people/pages.ts";
import { pricingPage } from "./pricing.ts";
import { sandboxPages } from "./sandbox/pages.ts";
import { type SiteServices, visits } from "./visit.ts";

export interface SiteParts {
  readonly services: SiteServices;
  readonly openApi: object;
}

/** Everything that is read by people or found by machines: pages and well-known documents. */
export function siteApp({ services, openApi }: SiteParts): Express {
  const { siteUrl } = services.config;
  const app = express();
  app.disable("x-powered-by");
  // Repeated parameters become lists, and nested ones do not exist.
  app.set("query parser", "simple");
  app.use((_req, res, next) => {
    res.set(pageHeaders({}));
    next();
  });

  app.get("/", page(homePage(siteUrl)));
  app.get("/pricing", page(pricingPage(services)));
  app.get("/bot", page(botPage(services.config)));
  app.get("/docs/errors", page(errorsPage()));
  app.get("/docs/errors/:code", (req, res, next) => {
    const found = errorPage(req.params.code);
    if (found) res.type("html").send(layout(found));
    else next();
  });
  app.get("/auth.md", authDocument(services.config));
  app.get("/openapi.json", document(openApi));
  app.get("/healthz", async (_req, res) => {
    await services.db.q.select({ id: services.db.t.accounts.id }).from(services.db.t.accounts).limit(1);
    res.set("Cache-Control", "no-store").json({ status: "ok" });
  });

  const visiting = visits(services);
  app.use(peoplePages(services, visiting));
  app.use(oauthPages(services, visiting));
  app.use(claimPages(services, visiting));
  app.use(dashboardPages(services, visiting));
  app.use(checkoutPages(services, visiting));
  app.use(sandboxPages(services, visiting));

  app.use(() => {
    throw new Refusal("not_found", "There is no such page. Begin at the front page.");
  });
  app.use(failed(services));
  return app;
}

function page(content: Page): RequestHandler {
  const text = layout(content);
  return (_req, res) => void res.type("html").send(text);
}

/** A public document that any page may read. */
function document(content: object): RequestHandler {
  const text = JSON.stringify(content);
  return (_req, res) => void res.set(CORS).set("Cache-Control", "public, max-age=300").type("json").send(text);
}

/** Pages for people, the JSON envelope for programs. Express knows an error handler by its four parameters. */
function failed({ config, log }: SiteServices): ErrorRequestHandler {
  return (thrown, req, res, _next) => {
    const refusal = refusalOf(thrown);
    if (refusal.code === "internal") log.error({ err: thrown, path: req.path }, "a page failed");
    res.status(refusal.status).set(refusal.headers).set("Cache-Control", "no-store").vary("Accept");
    // Under these addresses there are machines, whatever they say they accept.
    const isForMachines = refusal.code === "not_found" && /^\/(?:\.well-known|api|oauth)\//.test(req.path);
    if (isForMachines) res.set(CORS).json(errorEnvelope(refusal, config.siteUrl));
    else if (req.accepts(["html", "json"]) === "json") res.json(errorEnvelope(refusal, config.siteUrl));
    else
      res.type("html").send(
        layout({
          title: `${refusal.code} - Beckon`,
          body: html`<h1>${refusal.message}</h1><p><a href="/">Front page</a></p>`,
        }),
      );
  };
}

function refusalOf(thrown: unknown): Refusal {
  // What express throws for a parameter that is not well percent-encoded.
  if (thrown instanceof URIError) return new Refusal("not_found", "The address is not well encoded.");
  const { type, status } = thrown as { type?: unknown; status?: unknown };
  // What its reader of forms throws (npmjs.com/package/http-errors).
  if (type === "entity.too.large") return new Refusal("payload_too_large", "The form is too large.");
  if (typeof type === "string" && typeof status === "number" && status < 500)
    return new Refusal("invalid_request", "The form could not be read.");
  return toRefusal(thrown);
}
