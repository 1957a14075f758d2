import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves a request handler on this machine. @param port default: a free one */
export async function listen(handler: RequestListener, port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handler).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
