import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A web server that browsers take for another site: its host is localhost, the service's is 127.0.0.1. */
export interface ForeignSite {
  readonly origin: string;
  /** HTML by path; any other path answers "arrived". */
  readonly pages: Map<string, string>;
  /** Addresses that a path redirects to. */
  readonly redirects: Map<string, string>;
  /** Requests: the path with its query, and the page that they say they come from. */
  readonly asked: { readonly path: string; readonly referrer: string | undefined }[];
}

/** Listens until the tests of the file have ended. */
export async function startForeignSite(): Promise<ForeignSite> {
  const pages = new Map<string, string>();
  const redirects = new Map<string, string>();
  const asked: { path: string; referrer: string | undefined }[] = [];
  const server = createServer((req, res) => {
    asked.push({ path: req.url!, referrer: req.headers.referer });
    const path = req.url!.split("?")[0]!;
    const to = redirects.get(path);
    if (to !== undefined) return void res.writeHead(302, { Location: to }).end();
    const page = pages.get(path) ?? "<h1>arrived</h1>";
    res.setHeader("Content-Type", "text/html").end(`<!doctype html><title>elsewhere</title>${page}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, pages, redirects, asked };
}
