import { request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { listen } from "../service/listen.ts";

/** A proxy before a service, which sends pages in pieces, as a slow network does. */
export interface PieceProxy {
  /** Opens a page of the service; each piece but the first is sent when what came before has been shown. */
  open(page: Page, path: string): Promise<void>;
  close(): Promise<void>;
}

const PIECES = 4;

/** Two frames, in which a browser shows what has arrived. It has none as long as a page is held back: then about three pass. */
const SHOWN = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  setTimeout(resolve, 50);
})`;

export async function pieceProxy(upstream: string): Promise<PieceProxy> {
  const { hostname, port, host } = new URL(upstream);
  let begin: (response: SplitResponse) => void = () => undefined;
  const { url, close } = await listen((req, res) => {
    const { "accept-encoding": _, ...headers } = req.headers;
    const options = { hostname, port, path: req.url, method: req.method, headers: { ...headers, host } };
    const passed = request(options, async (answer) => {
      const body = await buffer(answer);
      const { "content-length": __, "transfer-encoding": ___, ...kept } = answer.headers;
      // A page that is cached would not come in pieces.
      res.writeHead(answer.statusCode!, { ...kept, "cache-control": "no-store" });
      const isPage = req.headers["sec-fetch-dest"] === "document" && answer.headers.location === undefined;
      if (isPage) begin(new SplitResponse(res, body));
      else res.end(body);
    });
    req.pipe(passed);
  });
  return {
    close,
    async open(page, path) {
      const begun = new Promise<SplitResponse>((resolve) => {
        begin = resolve;
      });
      const opening = page.goto(url + path, { waitUntil: "commit" });
      const response = await begun;
      response.sendPiece();
      await opening;
      while (!response.isComplete) {
        await page.evaluate(SHOWN);
        response.sendPiece();
      }
    },
  };
}

/** A page of which the head and the beginning of the body come first, and the rest in pieces of equal length. */
class SplitResponse {
  readonly #res: ServerResponse;
  readonly #pieces: Buffer[];

  constructor(res: ServerResponse, body: Buffer) {
    this.#res = res;
    const start = body.indexOf("<body");
    const ends = Array.from(
      { length: PIECES },
      (_, n) => start + Math.round(((body.length - start) * (n + 1)) / PIECES),
    );
    this.#pieces = ends.map((end, n) => body.subarray(n === 0 ? 0 : ends[n - 1], end));
  }

  get isComplete(): boolean {
    return this.#pieces.length === 0;
  }

  sendPiece(): void {
    this.#res.write(this.#pieces.shift()!);
    if (this.isComplete) this.#res.end();
  }
}
