import express, { type ErrorRequestHandler, type Express } from "express";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { ERRORS, errorEnvelope, Refusal, toRefusal } from "../../platform/errors/errors.ts";
import type { PublicFile } from "../discovery/index.ts";
import { addressOf } from "../http-server/caller.ts";
import { CORS } from "../http-server/cors.ts";
import { publicFileRoutes } from "./public/public-files.ts";
import { pageRoutes } from "./routes.ts";
import { PATHS } from "./shell/addresses.ts";
import { assetRoutes } from "./shell/asset-routes.ts";
import { compressResponses } from "./shell/compression.ts";
import { dashboardPage } from "./shell/dashboard-page.tsx";
import { layout, type Page, pageHeaders } from "./shell/layout.tsx";
import { placeAt } from "./shell/navigation.tsx";
import { openerPolicyOf } from "./shell/opener-policy.ts";
import { pageHandlers, signedInRequestOf, type WebsiteServices } from "./shell/page-request.ts";
import { wantsHtml } from "./shell/wants-html.ts";

export interface WebsiteDeps {
  readonly services: WebsiteServices;
  readonly files: readonly PublicFile[];
  /** The `Link` header of the front page. */
  readonly links: string;
}

/** The website: the pages for users, and the documents that machines look for at known paths. */
export function websiteApp({ services, files, links }: WebsiteDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  // Repeated parameters become lists, and nested ones do not exist.
  app.set("query parser", "simple");
  app.use(compressResponses());
  app.use((req, res, next) => {
    res.set(pageHeaders({})).set("Cross-Origin-Opener-Policy", openerPolicyOf(req.path));
    next();
  });

  app.use((req, _res, next) => {
    // PostgreSQL refuses text that contains U+0000, and no id contains it.
    if (req.path.includes("%00")) throw pageNotFound();
    next();
  });

  app.get("/", (_req, res, next) => {
    res.set("Link", links);
    next();
  });
  app.use(assetRoutes());
  app.use((req, _res, next) => {
    services.guard.countPage(addressOf(req, services.config.trustProxy));
    next();
  });
  app.use(publicFileRoutes(files, services.clock));
  const pages = pageHandlers(services);
  app.use(pageRoutes(services, pages));

  const missing = () => {
    throw pageNotFound();
  };
  const missingInDashboard = pages.getSignedIn(missing, "own");
  app.use(PATHS.overview, (req, res, next) => (wantsHtml(req) ? missingInDashboard(req, res, next) : next()));
  app.use(missing);
  app.use(errorHandler(services));
  return app;
}

function pageNotFound(): Refusal {
  return new Refusal("not_found", "There is no page at this address.");
}

/** Answers an error as a page, or as JSON to programs. Express recognises an error handler by its four parameters. */
function errorHandler({ config, log }: WebsiteServices): ErrorRequestHandler {
  return async (thrown, req, res, _next) => {
    const refusal = refusalOf(thrown);
    if (refusal.code === "internal" || isUnavailable(thrown))
      log.error({ err: thrown, path: req.path }, "a page failed");
    res.status(refusal.status).set(refusal.headers).set("Cache-Control", "no-store").vary("Accept");
    // Only programs call these paths, whatever they say they accept.
    const isForMachines = refusal.code === "not_found" && /^\/(?:\.well-known|api|oauth)\//.test(req.path);
    const request = signedInRequestOf(req);
    const isInDashboard = req.originalUrl.startsWith(PATHS.overview) && refusal.status < 500;
    if (isForMachines) res.set(CORS).json(errorEnvelope(refusal, config.siteUrl));
    else if (!wantsHtml(req)) res.json(errorEnvelope(refusal, config.siteUrl));
    else if (request && isInDashboard) {
      request.show(refusedPage(req.originalUrl, refusal), refusal.status);
      await request.finish();
    } else
      res.type("html").send(
        layout(
          {
            title: `${titleOf(refusal)} - Beckon`,
            body: (
              <>
                <h1>{refusal.message}</h1>
                <p>
                  <a href="/">Go to the front page</a>
                </p>
              </>
            ),
          },
          config,
        ),
      );
  };
}

/** A refusal within the dashboard, from which its section can be reached again. */
function refusedPage(address: string, refusal: Refusal): Page {
  const { name, label, path } = placeAt(address.split("?")[0]!);
  return dashboardPage({
    section: name,
    title: titleOf(refusal),
    heading: <>{refusal.message}</>,
    body: (
      <p>
        <a href={path}>Go to {label}</a>
      </p>
    ),
  });
}

function titleOf({ status, code }: Refusal): string {
  return TITLES[status] ?? ERRORS[code].title;
}

/** Titles by status, where the title of the API's error does not fit a page. */
const TITLES: Readonly<Record<number, string>> = { 404: "Page not found" };

function refusalOf(thrown: unknown): Refusal {
  // Express throws this for a path with invalid percent-encoding.
  if (thrown instanceof URIError) return new Refusal("not_found", "The percent-encoding of the address is not valid.");
  const { type, status } = thrown as { type?: unknown; status?: unknown };
  // Errors of the form parser of Express (npmjs.com/package/http-errors).
  if (type === "entity.too.large") return new Refusal("payload_too_large", "The form is too large.");
  if (typeof type === "string" && typeof status === "number" && status < 500)
    return new Refusal("invalid_request", "The form could not be read.");
  return toRefusal(thrown);
}
