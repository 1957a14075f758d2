import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer of a path: a body, or a function that writes the response. */
export type Served = string | Buffer | ((res: ServerResponse) => void);

export interface SitemapServer {
  readonly url: string;
  readonly port: number;
  /** Sets the answer of a path. @returns its address */
  serve(path: string, served: Served, headers?: Record<string, string | number>): string;
  /** Number of requests of a path so far. */
  hits(path: string): number;
  close(): Promise<void>;
}

/** A website with sitemaps, on this machine. */
export async function sitemapServer(): Promise<SitemapServer> {
  const answers = new Map<string, (res: ServerResponse) => void>();
  const hits = new Map<string, number>();
  const server = createServer((req, res) => {
    const path = req.url!;
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const answer = answers.get(path);
    if (answer) answer(res);
    else res.writeHead(404, { "Content-Type": "text/html" }).end("<html><body>nothing here</body></html>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    serve(path, served, headers = { "Content-Type": "application/xml" }) {
      answers.set(path, typeof served === "function" ? served : (res) => res.writeHead(200, headers).end(served));
      return url + path;
    },
    hits: (path) => hits.get(path) ?? 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function urlset(urls: readonly string[]): string {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`);
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("\n")}</urlset>`;
}

export function sitemapIndex(urls: readonly string[]): string {
  const entries = urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`);
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("\n")}</sitemapindex>`;
}
