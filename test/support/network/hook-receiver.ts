import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A message that came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver answers: a status with headers, at once or after something else, or never. */
export type HookAnswer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly after?: Promise<unknown> }
  | "never";

export interface HookReceiver {
  /** Ends without a slash. */
  readonly url: string;
  readonly received: Received[];
  /** The most messages that waited for their answers at a time. */
  mostWaiting(): number;
  /** Answers from now on. */
  answer(answer: HookAnswer): void;
  close(): Promise<void>;
}

/** A receiver of webhooks on this machine. At first it answers 204. */
export async function hookReceiver(): Promise<HookReceiver> {
  const received: Received[] = [];
  let current: HookAnswer = { status: 204 };
  let waiting = 0;
  let mostWaiting = 0;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", () => {
      received.push({ path: req.url!, headers: req.headers, body: Buffer.concat(chunks).toString() });
      waiting += 1;
      mostWaiting = Math.max(mostWaiting, waiting);
      if (current === "never") return;
      const { status, headers, after } = current;
      const answer = () => {
        waiting -= 1;
        res.writeHead(status, headers).end("the receiver's own words");
      };
      if (after) after.then(answer);
      else answer();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mostWaiting: () => mostWaiting,
    answer(answer) {
      current = answer;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
