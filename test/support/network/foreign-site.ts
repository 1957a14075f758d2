import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A web server that browsers take for another site: its host is localhost, that of the service 127.0.0.1. */
export interface ForeignSite {
  readonly origin: string;
  /** HTML by path; any other path answers "arrived". */
  readonly pages: Map<string, string>;
  /** Requested paths, with their queries. */
  readonly asked: string[];
}

/** Listens until the tests of the file have ended. */
export async function startForeignSite(): Promise<ForeignSite> {
  const pages = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url!);
    const page = pages.get(req.url!.split("?")[0]!) ?? "<h1>arrived</h1>";
    res.setHeader("Content-Type", "text/html").end(`<!doctype html><title>elsewhere</title>${page}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, pages, asked };
}
