import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { A2aCall } from "../methods.ts";
import type { Message } from "../wire.ts";
import type { AgentParts } from "./agent.ts";
import { Reply, type Spoken } from "./message-handler.ts";
import { type Asked, askedIn } from "./received-message.ts";

/** How often a message is looked at anew because others change its task. */
const TRIES = 5;

/** Acts on messages, each once. */
export class Sending {
  readonly #parts: AgentParts;
  readonly #inHand = new Map<string, Promise<unknown>>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** @throws Refusal unauthorized, insufficient_scope, rate_limited, and errors of the protocol */
  async send(message: Message, call: A2aCall): Promise<Spoken> {
    const asked = askedIn(message);
    const { principal } = call.admission;
    if (!principal) return this.#answer(asked, call);
    return this.#alone(`${principal.accountId} ${message.messageId}`, () => this.#answer(asked, call));
  }

  async #answer(asked: Asked, call: A2aCall): Promise<Spoken> {
    for (let left = TRIES; left > 0; left--) {
      const spoken = await new Reply(this.#parts, asked, call).give();
      if (spoken) return spoken;
    }
    throw new UnsupportedOperationError("Other messages are changing this task. Read it, and send yours again.");
  }

  /**
   * A message that comes twice at once waits for itself, and then gets its own answer. Between processes the database
   * decides, and one of the two is undone.
   */
  async #alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    while (this.#inHand.has(key)) await this.#inHand.get(key)!.catch(() => undefined);
    const running = work();
    this.#inHand.set(key, running);
    try {
      return await running;
    } finally {
      this.#inHand.delete(key);
    }
  }
}
