import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A client on a raw socket, to see exactly what the server sends. */
export interface RawClient {
  readonly socket: Socket;
  /** Reads until the server closes the connection. @throws Error if it is reset, or stays open for `ms` */
  untilClosed(ms?: number): Promise<string>;
}

export async function rawClient(url: string, head: readonly string[]): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  let failed: Error | null = null;
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  // Writing to a connection that the server has closed fails; its response may be right all the same.
  socket.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") failed = error;
  });
  await once(socket, "connect");
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  return {
    socket,
    async untilClosed(ms = 30_000) {
      const late = setTimeout(() => socket.destroy(new Error(`still open after ${ms} ms: ${text}`)), ms);
      if (!socket.closed) await once(socket, "close").catch(() => undefined);
      clearTimeout(late);
      if (failed) throw failed;
      return text;
    },
  };
}

/** Writes chunks in the chunked transfer coding of HTTP until `bytes` are sent or the connection ends. */
export async function writeChunks(socket: Socket, bytes: number): Promise<void> {
  const piece = "x".repeat(64 * 1024);
  const ended = once(socket, "close").catch(() => undefined);
  for (let sent = 0; sent < bytes && socket.writable; sent += piece.length) {
    if (!socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)) {
      await Promise.race([once(socket, "drain").catch(() => undefined), ended]);
    }
  }
}

/** Parses the one response in a text: status, headers and JSON body. */
export function parsed(text: string) {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(first.split(" ")[1]), headers, json: JSON.parse(body) };
}
