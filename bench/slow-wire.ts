import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy between nodes and their database that delays what a node sends by `ms`, as a network does. */
export async function slowWire(url: string, ms: number): Promise<{ url: string; close(): void }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    near.on("data", (bytes) => setTimeout(() => far.writable && far.write(bytes), ms));
    near.on("close", () => far.destroy());
    far.on("data", (bytes) => near.writable && near.write(bytes));
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const slow = new URL(url);
  slow.port = String((server.address() as AddressInfo).port);
  return {
    url: slow.href,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
