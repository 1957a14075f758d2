import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fake, Handler, Received, Reply } from "./fake.ts";
import type { World } from "./world.ts";

export interface FakeServer {
  readonly origin: string;
  /** By mount: where the provider's API begins, as for PROVIDER_URLS. */
  readonly urls: Readonly<Record<string, string>>;
  /** Every request in order of arrival, those answered by a fault included. */
  readonly calls: readonly Received[];
  callsTo(provider: string): Received[];
  close(): Promise<void>;
}

/**
 * Serves fakes on one loopback port, each under its mount: `/speedyindex/v2/account`. Other paths go to `rest` (key files,
 * pages), or answer 404.
 */
export async function startFakes(
  world: World,
  fakes: readonly Fake[],
  { port = 0, rest }: { port?: number; rest?: Handler } = {},
): Promise<FakeServer> {
  const handlers: Readonly<Record<string, Handler>> = Object.assign({}, ...fakes.map((fake) => fake(world)));
  const calls: Received[] = [];
  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = await received(req, handlers);
    calls.push(request);
    const handler = handlers[request.provider] ?? rest;
    const fault = world.faultOf(request);
    const acts = !fault || fault.afterActing === true;
    const done = acts && handler ? await handler(request) : { status: 404 };
    const answer = fault ? fault.answer : done;
    if (answer === "hang") return;
    if (answer === "drop") res.destroy();
    else write(res, answer);
  }
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    urls: Object.fromEntries(Object.keys(handlers).map((name) => [name, `${origin}/${name}`])),
    calls,
    callsTo: (provider) => calls.filter((call) => call.provider === provider),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function received(req: IncomingMessage, handlers: Readonly<Record<string, Handler>>): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const [whole = "/", query] = req.url!.split(/\?(.*)/s);
  const [, mount = "", path = ""] = /^\/([^/]*)(.*)$/s.exec(whole) ?? [];
  const isMounted = Object.hasOwn(handlers, mount);
  return {
    provider: isMounted ? mount : "",
    method: req.method!,
    path: isMounted ? path : whole,
    query: new URLSearchParams(query),
    headers: req.headers as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
}

function write(res: ServerResponse, { status, headers, body }: Reply): void {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" || body === undefined ? {} : { "Content-Type": "application/json" };
  res.writeHead(status, { ...type, ...headers }).end(text);
}
