import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface KeyHost {
  /** Host of the site: 127.0.0.1 with the port. */
  readonly host: string;
  readonly port: number;
  /** The answer to every request from now on. */
  answer: RequestListener;
  /** Requested paths. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A website of one page. */
export async function keyHost(): Promise<KeyHost> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url!);
    website.answer(req, res);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const website: KeyHost = {
    host: `127.0.0.1:${port}`,
    port,
    answer: (_, res) => void res.writeHead(404).end("nothing here"),
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return website;
}

/** Answers every path with this text. */
export function page(text: string | Buffer, status = 200, headers: Record<string, string> = {}): RequestListener {
  return (_, res) => void res.writeHead(status, { "Content-Type": "text/plain", ...headers }).end(text);
}
