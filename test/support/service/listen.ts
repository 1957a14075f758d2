import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A handler of requests as a server of its own, on this machine. */
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
