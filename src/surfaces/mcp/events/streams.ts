import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Caller } from "../../../contract/authenticate.ts";
import type { Services } from "../../../contract/call.ts";
import type { OpenStreams } from "../../../contract/open-streams.ts";
import { refuseTooManyStreams } from "../../../contract/stream-limits.ts";
import { HEARING } from "../../../domain/credentials/listener.ts";
import { readEvents, type Start, startAt, type Wanted } from "../../../domain/subscriptions/positions.ts";
import { SECOND } from "../../../platform/clock.ts";
import type { RunEvery } from "../../../platform/run-every.ts";
import type { McpLog } from "../caller.ts";
import { notBeforeOf } from "./calls.ts";
import { cursorOf, positionOf } from "./cursor.ts";
import { EventFeed } from "./feed.ts";
import { occurrenceOf } from "./occurrence.ts";
import { PARAMS, paramsOf, subjectOf } from "./params.ts";
import { WIRE } from "./wire.ts";

/** Interval of heartbeats, in ms. They say how far events were looked at, and keep proxies from closing a quiet stream. */
const HEARTBEAT = 15 * SECOND;

/** Events that are read at once. */
const PAGE = 50;

/** No proxy may hold it back or change it. */
const STREAM = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

interface StreamDeps {
  readonly services: Pick<Services, "db" | "clock">;
  readonly streams: OpenStreams;
  readonly log: McpLog;
  readonly every: RunEvery;
}

/** A request for a stream. */
export interface StreamRequest {
  readonly id: string | number;
  readonly params: unknown;
  readonly accountId: string;
  readonly caller: Caller;
  /** Aborted when the client is gone, or the service stops. */
  readonly signal: AbortSignal;
}

/** The streams of `events/stream`. */
export class EventStreams {
  readonly #deps: StreamDeps;
  readonly #feed: EventFeed;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#feed = new EventFeed({ db: deps.services.db, log: deps.log, every: deps.every });
  }

  /**
   * Reads where a stream begins, before anything of it is written.
   * @returns what writes it, until the client goes away, the service stops, or the access ends
   * @throws ProtocolError, Refusal rate_limited, unavailable
   */
  async open({
    id,
    params,
    accountId,
    caller,
    signal,
  }: StreamRequest): Promise<(res: ServerResponse) => Promise<void>> {
    const { db, clock } = this.#deps.services;
    const { cursor, maxAgeMs, ...rest } = paramsOf(PARAMS.stream, params);
    const wanted = { accountId, ...subjectOf(rest) };
    const begin = { position: positionOf(wanted, cursor), notBefore: notBeforeOf(maxAgeMs, clock.now()) };
    refuseTooManyStreams(this.#feed.accounts(), accountId, "Call events/poll");
    const start = await startAt(db, accountId, begin);
    return (res) => this.#serve(new EventStream(db, res, { id, wanted, start }), res, { caller, signal });
  }

  async #serve(
    stream: EventStream,
    res: ServerResponse,
    { caller, signal }: { caller: Caller; signal: AbortSignal },
  ): Promise<void> {
    const { streams, every } = this.#deps;
    const over = new AbortController();
    const end = () => over.abort();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    res.writeHead(200, STREAM);
    stream.begin();
    const leave = streams.add({ ...caller, scopes: [HEARING] }, () => {
      stream.terminate();
      end();
    });
    const stop = this.#feed.add(stream);
    const stopHeartbeat = every(HEARTBEAT, async () => stream.beat());
    try {
      if (!over.signal.aborted) await once(over.signal, "abort");
    } finally {
      stopHeartbeat();
      stop();
      leave();
      signal.removeEventListener("abort", end);
      stream.close(signal.aborted);
    }
  }
}

/** What is written of a stream. A client that reads slowly is told on as it reads. */
class EventStream {
  readonly accountId: string;
  readonly #db: Services["db"];
  readonly #res: ServerResponse;
  readonly #id: string | number;
  readonly #wanted: Wanted;
  readonly #start: Start;
  /** Up to where events were looked at, and written. */
  #position: number;
  #isOver = false;

  constructor(
    db: Services["db"],
    res: ServerResponse,
    { id, wanted, start }: { id: string | number; wanted: Wanted; start: Start },
  ) {
    this.accountId = wanted.accountId;
    this.#db = db;
    this.#res = res;
    this.#id = id;
    this.#wanted = wanted;
    this.#start = start;
    this.#position = start.after;
  }

  begin(): void {
    this.#notify("active", { cursor: this.#cursor, truncated: this.#start.isTruncated });
  }

  async advance(newest: number): Promise<void> {
    while (this.#position < newest && this.#canWrite) {
      const page = await readEvents(this.#db, this.#wanted, { after: this.#position, upTo: newest, most: PAGE });
      if (this.#isOver) return;
      for (const event of page.events)
        this.#notify("event", { ...occurrenceOf(event), cursor: cursorOf(this.#wanted, event.no) });
      this.#position = page.position;
    }
  }

  beat(): void {
    if (this.#canWrite) this.#notify("heartbeat", { cursor: this.#cursor });
  }

  /** Says that the caller may not hear it any more. */
  terminate(): void {
    const message = "The credential was revoked, has ended or may not read any more.";
    this.#notify("terminated", { error: { code: WIRE.codes.Forbidden, message } });
  }

  /** Ends the response of the request. @param isStopping the connection is closed, too */
  close(isStopping: boolean): void {
    this.#isOver = true;
    const { socket } = this.#res;
    this.#write({ jsonrpc: "2.0", id: this.#id, result: { resultType: "complete", _meta: {} } });
    // A service that stops waits for its connections to close, and this one is kept alive for more requests.
    this.#res.end(() => isStopping && socket?.destroySoon());
  }

  get #cursor(): string {
    return cursorOf(this.#wanted, this.#position);
  }

  get #canWrite(): boolean {
    return !this.#isOver && !this.#res.writableNeedDrain && !this.#res.destroyed;
  }

  #notify(name: string, fields: object): void {
    const _meta = { [WIRE.subscriptionMeta]: this.#id };
    this.#write({ jsonrpc: "2.0", method: `notifications/events/${name}`, params: { ...fields, _meta } });
  }

  #write(message: object): void {
    if (!this.#res.destroyed) this.#res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
}
