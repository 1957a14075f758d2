import type { ServerResponse } from "node:http";

/** The answers that are being given. Once they are the last ones, each closes its connection, which Node tells the client. */
export class InFlightResponses {
  readonly #open = new Set<ServerResponse>();
  #isEnding = false;

  add(res: ServerResponse): void {
    if (this.#isEnding) res.shouldKeepAlive = false;
    this.#open.add(res);
    res.once("close", () => this.#open.delete(res));
  }

  /** From here on no connection is kept for another request. Streams have their own end. */
  end(): void {
    this.#isEnding = true;
    for (const res of this.#open) if (!res.headersSent) res.shouldKeepAlive = false;
  }
}
