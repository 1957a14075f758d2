import type { Express, Router } from "express";
import { expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { websiteApp } from "../../../../src/surfaces/website/app.tsx";
import { ACCOUNT_PATHS, PATHS } from "../../../../src/surfaces/website/shell/addresses.ts";
import type { WebsiteServices } from "../../../../src/surfaces/website/shell/page-request.ts";
import { PAGES } from "../../../support/website/pages/page-list.ts";

const config = readConfig({ SITE_URL: "http://beckon.test" });
const services = { config, payments: { cards: { method: "sandbox" } } } as unknown as WebsiteServices;

/** Routes that answer with a file. */
const FILES = [
  // Where Google leads back to: it leads on to the page of connections.
  "/dashboard/connections/google",
  "/assets/:file",
  "/favicon.ico",
  "/icon.png",
  "/postman.json",
  // They are for git; the first one redirects.
  "/plugins.git",
  "/plugins.git/info/refs",
  "/docs/search.json",
  // It redirects.
  "/dashboard/credentials/:id",
  // It redirects to the page of the project.
  `${PATHS.projects}/:id/report`,
  `${PATHS.spending}.csv`,
  `${PATHS.projects}.csv`,
  `${PATHS.projects}.json`,
  `${PATHS.projects}/list.csv`,
  `${PATHS.projects}/:id/urls.csv`,
  `${PATHS.projects}/:id/links.csv`,
  `${PATHS.projects}/:id/report.csv`,
  `${PATHS.projects}/:id/links.json`,
  `${PATHS.sites}/:id/key`,
  `${ACCOUNT_PATHS.export}/:id`,
];

/** The paths that a router and the routers inside it answer by GET. */
function pathsOf({ stack }: Router): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route) return route.stack.some(({ method }) => method === "get") ? [route.path] : [];
    return "stack" in handle ? pathsOf(handle as Router) : [];
  });
}

const app: Express = websiteApp({ services, files: [], links: "" });
const routes = pathsOf(app.router).filter((path) => !path.endsWith(".svg"));
const documents = documentsOf(config).map(({ path }) => path);

test("law: every route that answers with a page is in the list of pages", () => {
  const listed = new Set(PAGES.map(({ route }) => route));
  expect(routes.length).toBeGreaterThan(30);
  // `/` has a handler that only adds a header.
  expect(routes.filter((path) => path !== "/" && !FILES.includes(path) && !listed.has(path))).toEqual([]);
});

test("every listed page belongs to a route or is a document, and its name is unique", () => {
  const unknown = PAGES.filter(({ route }) => !routes.includes(route) && !documents.includes(route));
  expect(unknown.map(({ name }) => name)).toEqual(["not-found"]);
  expect(new Set(PAGES.map(({ name }) => name)).size).toBe(PAGES.length);
});
