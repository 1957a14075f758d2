import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";
import type { Resolve } from "../../../src/platform/http-client/dns.ts";

/** Writes the response to a request. */
export type Answer = (socket: Socket) => void;

/** A server on a raw socket, which can answer anything, valid HTTP or not. */
export interface RawServer {
  readonly port: number;
  /** Heads of the requests so far. */
  readonly heads: string[];
  /** Number of connections so far, with or without a request. */
  connections(): number;
  /** Number of open connections. */
  open(): number;
}

/** Listens until the tests of the file have ended. @param answerOf gets the path of the request */
export async function startRawServer(host: string, answerOf: (path: string) => Answer): Promise<RawServer> {
  let connections = 0;
  const heads: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
      // A TLS handshake begins with this byte.
      if (text.startsWith("\x16")) socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      if (!text.includes("\r\n\r\n")) return;
      heads.push(text);
      answerOf(text.split(" ")[1] ?? "")(socket);
      text = "";
    });
  }).listen(0, host);
  await once(server, "listening");
  afterAll(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    heads,
    connections: () => connections,
    open: () => open.size,
  };
}

/** Answers with an HTTP response. */
export function says(status: string, headers: Readonly<Record<string, string>>, body: string | Buffer = ""): Answer {
  const lines = Object.entries({ "Content-Length": String(Buffer.byteLength(body)), ...headers });
  const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
  return (socket) => void socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), Buffer.from(body)]));
}

/** Writes text as it is, and closes the connection. */
export function raw(text: string): Answer {
  return (socket) => void socket.end(Buffer.from(text, "latin1"));
}

/** Writes `first`, and then `piece` every `ms` until the client closes the connection. */
export function drips(first: string, piece: string, ms: number): Answer {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), ms);
    socket.on("close", () => clearInterval(timer));
  };
}

/** Writes `first`, and then `piece` as fast as it is read, for at most `times`. */
export function floods(first: string | Buffer, piece: string | Buffer, times = 10_000): Answer {
  return (socket) => {
    socket.write(first);
    let left = times;
    const more = () => {
      while (left-- > 0 && socket.writable && socket.write(piece));
      if (left > 0) socket.once("drain", more);
    };
    more();
  };
}

/** A resolver for tests. Each name has a list of addresses for each query; the last list answers all further queries. */
export function nameServer(names: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const asked: string[] = [];
  const resolve: Resolve = async (name) => {
    asked.push(name);
    const lists = names[name];
    if (!lists) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    const times = asked.filter((one) => one === name).length;
    const addresses = lists[Math.min(times, lists.length) - 1]!;
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { resolve, asked };
}
