import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { KeyedMutex } from "../../src/platform/concurrency.ts";
import type { A2aCall } from "../methods.ts";
import type { Message } from "../wire.ts";
import type { AgentDeps } from "./deps.ts";
import { MessageHandler, type MessageResult } from "./message-handler.ts";
import { type ReceivedMessage, receive } from "./received-message.ts";

/** How often the same message is handled again because other messages change its task. */
const MAX_ATTEMPTS = 5;

/** Handles every message once, also when it is sent again. */
export class Inbox {
  readonly #deps: AgentDeps;
  readonly #messages = new KeyedMutex();

  constructor(deps: AgentDeps) {
    this.#deps = deps;
  }

  /** @throws Refusal unauthorized, insufficient_scope, rate_limited, and errors of the protocol */
  async handle(message: Message, call: A2aCall): Promise<MessageResult> {
    const received = await receive(message);
    const { principal } = call.admission;
    if (!principal) return this.#attempt(received, call);
    // If one message comes twice at once, the second waits for the first and gets the same answer. Between processes
    // the database decides, and one of the two is rolled back.
    return this.#messages.run(`${principal.accountId} ${message.messageId}`, () => this.#attempt(received, call));
  }

  async #attempt(received: ReceivedMessage, call: A2aCall): Promise<MessageResult> {
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      const result = await new MessageHandler(this.#deps, received, call).handle();
      if (result) return result;
    }
    throw new UnsupportedOperationError("Other messages are changing this task. Read it, and send yours again.");
  }
}
