import type { ServerResponse } from "node:http";

/** The responses in flight. After `end`, each closes its connection, as its `Connection: close` tells the client. */
export class InFlightResponses {
  readonly #open = new Set<ServerResponse>();
  #isEnding = false;

  /** Whether connections are being closed. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  add(res: ServerResponse): void {
    if (this.#isEnding) res.shouldKeepAlive = false;
    this.#open.add(res);
    res.on("close", () => this.#open.delete(res));
  }

  /** From now on no connection stays open for another request. Streams are ended elsewhere. */
  end(): void {
    this.#isEnding = true;
    for (const res of this.#open) if (!res.headersSent) res.shouldKeepAlive = false;
  }
}
