import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { HttpOverrides } from "../../../src/platform/http-client/http-client.ts";
import { certificate } from "../network/certificate.ts";
import { nameServer } from "../network/raw-server.ts";

/** An HTTPS server for client ID metadata documents. Some of its names resolve to addresses that must not be fetched. */
export interface DocumentHost {
  readonly port: number;
  /** Requested paths. */
  readonly asked: string[];
  /** Answers all requests from now on. */
  answer: RequestListener;
  readonly outside: HttpOverrides;
  /** Settings of a service that may fetch from it. */
  readonly reachable: { readonly fetchAllowCidrs: readonly string[]; readonly fetchAllowPorts: readonly number[] };
  /** Address of a document, which is a client_id. */
  url(path?: string, host?: string): string;
  close(): Promise<void>;
}

const ADDRESSES = {
  "app.example": [["127.0.0.2"]],
  "inside.example": [["127.0.0.1"]],
  "metadata.example": [["169.254.169.254"]],
  // DNS rebinding: another address after the first answer.
  "rebinds.example": [["127.0.0.2"], ["127.0.0.1"]],
};

export async function documentHost(): Promise<DocumentHost> {
  const { key, cert } = certificate(Object.keys(ADDRESSES));
  const asked: string[] = [];
  const server = createServer({ key, cert }, (req, res) => {
    asked.push(req.url!);
    host.answer(req, res);
  });
  server.on("tlsClientError", () => undefined).listen(0, "127.0.0.2");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const host: DocumentHost = {
    port,
    asked,
    answer: (_, res) => void res.writeHead(404).end(),
    outside: { resolve: nameServer(ADDRESSES).resolve, ca: cert, limits: { idleMs: 50 } },
    reachable: { fetchAllowCidrs: ["127.0.0.2/32"], fetchAllowPorts: [port] },
    url: (path = "/client.json", name = "app.example") => `https://${name}:${port}${path}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return host;
}

/** A valid document with changes; undefined removes a member. */
export function describing(clientId: string, changes: object = {}) {
  return {
    client_id: clientId,
    client_name: "Described app",
    redirect_uris: ["https://app.example/callback", "http://127.0.0.1/callback"],
    token_endpoint_auth_method: "none",
    ...changes,
  };
}

export function sends(document: unknown, headers: Record<string, string> = {}, status = 200): RequestListener {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return (_, res) => void res.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text);
}
