import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { createHttpClient, type HttpClient } from "../../../src/platform/http-client/http-client.ts";
import { nameServer } from "../network/raw-server.ts";

/** An open web of one machine: every name ends there, by names that a test gives it. */
export interface Web {
  /** The real one; it takes this web for public, and nothing else on this machine. */
  readonly http: HttpClient;
  readonly port: number;
  readonly requests: readonly WebRequest[];
  url(path: string, host?: string): string;
}

export interface WebRequest {
  readonly host: string;
  readonly path: string;
  /** By performance.now(). */
  readonly from: number;
  to: number;
}

/** What a name resolves to besides the web's own address: the inside of a network, which nobody may get to. */
const INSIDE = { "inside.example": [["127.0.0.1"]] };

/**
 * Listens until the tests of the file have ended.
 * @param hosts names of it, besides `site.example` and `other.example`
 */
export async function startWeb(listener: RequestListener, hosts: readonly string[] = []): Promise<Web> {
  const requests: WebRequest[] = [];
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const asked: WebRequest = {
      host: req.headers.host!.split(":")[0]!,
      path: req.url!,
      from: performance.now(),
      to: 0,
    };
    requests.push(asked);
    res.on("close", () => {
      asked.to = performance.now();
    });
    res.on("error", () => undefined);
    listener(req, res);
  }).listen(0, "127.0.0.2");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const own = ["site.example", "other.example", ...hosts].map((name) => [name, [["127.0.0.2"]]]);
  const { resolve } = nameServer({ ...Object.fromEntries(own), ...INSIDE });
  const http = createHttpClient(
    {
      siteUrl: "https://beckon.test",
      contact: undefined,
      fetchAllowCidrs: ["127.0.0.2/32"],
      fetchAllowPorts: [port],
    },
    { resolve },
  );
  afterAll(async () => {
    await http.close();
    server.closeAllConnections();
    server.close();
  });
  return { http, port, requests, url: (path, host = "site.example") => `http://${host}:${port}${path}` };
}

/** The clock of a machine, for readers whose timers are real. */
export const realClock = { now: () => Date.now(), service: () => Date.now() };
