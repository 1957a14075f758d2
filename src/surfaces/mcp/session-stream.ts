import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../contract/authenticate.ts";
import { endSession, type McpSession } from "../../domain/projects/resource-subscriptions.ts";
import { knows, ToldFingerprints } from "./event-ids.ts";
import { HEARING } from "./own-projects.ts";
import { keyOf, resourcesOfSessions, type WatchedResource } from "./project-updates.ts";
import type { SubscriptionDeps } from "./subscriptions.ts";

/** Interval of the comments in a quiet stream, in ms: they keep proxies from closing it. */
const HEARTBEAT = 15_000;

/** The first version whose clients expect an event without data at the beginning of a stream, which gives them an id. */
const PRIMED = "2025-11-25";

const STREAM = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };

/** The streams of sessions (2025-11-25 and before), which a client opens by GET: one at a time for a session. */
export class SessionStreams {
  readonly #deps: SubscriptionDeps;
  readonly #open = new Map<string, () => void>();

  constructor(deps: SubscriptionDeps) {
    this.#deps = deps;
  }

  /**
   * Tells a client of changes until it goes away, the service stops, or its credential is not valid any more. A client that
   * comes back with the id of the last event it got is told of what it has missed, at any process.
   * @returns when the stream has ended
   * @throws Refusal rate_limited, unavailable
   */
  async serve(
    { req, res }: { req: IncomingMessage; res: ServerResponse },
    { session, caller, signal }: { session: McpSession; caller: Caller; signal: AbortSignal },
  ): Promise<void> {
    const { services, updates, streams } = this.#deps;
    updates.refuseTooMany(session.accountId);
    const known = (await resourcesOfSessions(services.db, [session])).get(keyOf(session)) ?? [];
    const told = new ToldFingerprints();
    const lastId = req.headers["last-event-id"];
    if (typeof lastId === "string") resume(told, lastId, known);
    const ends = new AbortController();
    const end = () => ends.abort();
    const stream = new EventWriter(res, told);
    // A client that comes back may be here before its old connection is known to be gone.
    const key = keyOf(session);
    this.#open.get(key)?.();
    this.#open.set(key, end);
    const stop = updates.add({
      accountId: session.accountId,
      about: session,
      update: (resources) => stream.update(resources),
    });
    const leave = streams.add({ ...caller, scopes: HEARING }, end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    res.writeHead(200, STREAM);
    if (req.headers["mcp-protocol-version"] === PRIMED) stream.prime(known);
    else res.flushHeaders();
    stream.update(known);
    const heartbeat = setInterval(() => res.writableNeedDrain || res.write(":\n\n"), HEARTBEAT);
    heartbeat.unref();
    try {
      if (!ends.signal.aborted) await once(ends.signal, "abort");
    } finally {
      clearInterval(heartbeat);
      stop();
      leave();
      signal.removeEventListener("abort", end);
      if (this.#open.get(key) === end) this.#open.delete(key);
      const { socket } = res;
      // A service that stops waits for its connections to close, and this one is kept alive for more requests.
      res.end(() => signal.aborted && socket?.destroySoon());
    }
  }

  /** Ends the subscriptions of a session, and its stream. */
  async end(session: McpSession): Promise<void> {
    const { db, clock } = this.#deps.services;
    await db.tx((tx) => endSession(tx, session, clock.now()));
    this.#open.get(keyOf(session))?.();
  }
}

/** Marks what a client with the last event of this id knows. If anything has changed since, the client is told of everything. */
function resume(told: ToldFingerprints, lastId: string, resources: readonly WatchedResource[]): void {
  const isSame = knows(lastId, resources);
  for (const { uri, fingerprint } of resources) told.told({ uri, fingerprint: isSame ? fingerprint : "" });
}

/** Writes changes as server-sent events. A change for which a slow client has no room is written once it has read on. */
class EventWriter {
  readonly #res: ServerResponse;
  readonly #told: ToldFingerprints;

  constructor(res: ServerResponse, told: ToldFingerprints) {
    this.#res = res;
    this.#told = told;
  }

  /** An id to come back with, before the first change. */
  prime(resources: readonly WatchedResource[]): void {
    this.#res.write(`id: ${this.#told.eventId(resources)}\ndata: \n\n`);
  }

  update(resources: readonly WatchedResource[]): void {
    for (const changed of this.#told.changed(resources)) {
      if (this.#res.writableNeedDrain || this.#res.destroyed) return;
      this.#told.told(changed);
      const { uri } = changed;
      const message = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } };
      const id = this.#told.eventId(resources);
      this.#res.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
    }
  }
}
