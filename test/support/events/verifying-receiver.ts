import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { SeededRandom } from "../nodes/seeded-random.ts";

/** A message that came, and whose signature is genuine. */
export interface Message {
  readonly path: string;
  /** Its `webhook-id`. */
  readonly id: string;
  readonly body: string;
}

/**
 * A receiver of webhooks that verifies each message with the stock library as it comes. It answers 204, or at random late, with
 * an error, or not at all, until `succeed()`.
 */
export class VerifyingReceiver {
  readonly messages: Message[] = [];
  /** One sentence for each message that was not genuine. */
  readonly problems: string[] = [];
  readonly #random: SeededRandom;
  readonly #verifiers = new Map<string, Webhook>();
  readonly #server = createServer();
  #succeeds = false;
  #onMessage: (() => void) | null = null;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** @returns its address, without a slash at the end */
  async listen(): Promise<string> {
    this.#server.on("request", (req, res) => {
      const chunks: Buffer[] = [];
      // A process that is killed leaves half of a request.
      req.on("error", () => undefined);
      req.on("data", (chunk) => chunks.push(chunk));
      req.on("end", () => {
        this.#take(req.url!, req.headers as Record<string, string>, Buffer.concat(chunks).toString());
        this.#answer(res);
      });
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The secret of the webhook whose URL has this path. */
  expect(path: string, secret: string): void {
    this.#verifiers.set(path, new Webhook(secret));
  }

  /** Calls back once, when so many messages have come from now on, before the last of them is answered. */
  afterMessages(count: number, callback: () => void): void {
    let left = count;
    this.#onMessage = () => {
      left -= 1;
      if (left > 0) return;
      this.#onMessage = null;
      callback();
    };
  }

  /** Answers 204 from now on. */
  succeed(): void {
    this.#succeeds = true;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #take(path: string, headers: Record<string, string>, body: string): void {
    const id = headers["webhook-id"]!;
    try {
      this.#verifiers.get(path)!.verify(body, headers);
      this.messages.push({ path, id, body });
    } catch (thrown) {
      this.problems.push(`${id} at ${path}: ${(thrown as Error).message}`);
    }
    this.#onMessage?.();
  }

  #answer(res: ServerResponse): void {
    const chance = this.#succeeds ? 1 : this.#random.next();
    if (chance < 0.05) res.destroy();
    else if (chance < 0.1) res.writeHead(500).end();
    else if (chance < 0.2) setTimeout(() => res.writeHead(204).end(), this.#random.between(1, 100));
    else res.writeHead(204).end();
  }
}
