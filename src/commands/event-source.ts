import { presentEvent } from "../contract/shapes/event.ts";
import { identify } from "../domain/credentials/identify.ts";
import { eventId, eventsOf, newestEventOf } from "../domain/events/events.ts";
import { SECOND } from "../platform/clock.ts";
import { isUnavailable } from "../platform/errors/database-unavailable.ts";
import { type ErrorCode, Refusal } from "../platform/errors/errors.ts";
import { ApiFailure, type HttpClient } from "../platform/http-client/http-client.ts";
import type { Instance } from "../process/instance.ts";

/** An event as `list_events` shows it. */
export type ListedEvent = ReturnType<typeof presentEvent>;

/** Where the events of an account are read. */
export interface EventSource {
  /** For people. */
  readonly name: string;
  /** How long to wait before it is asked again, in ms, if the last event came so long ago. */
  pollMs(idleMs: number): number;
  /** The id of the newest event; null before the first. @throws as `eventsAfter` does */
  newest(): Promise<string | null>;
  /**
   * Events after one, in order, and whether more follow.
   * @throws SourceAway when it can be asked again; Refusal when it cannot
   */
  eventsAfter(after: string | null): Promise<{ readonly events: readonly ListedEvent[]; readonly hasMore: boolean }>;
}

/** The source does not answer at present. */
export class SourceAway extends Error {
  /** How long it wants not to be asked, in ms. */
  readonly retryMs: number | undefined;

  constructor(message: string, retryMs?: number) {
    super(message);
    this.retryMs = retryMs;
  }
}

/** Events of one answer. */
const PAGE = 200;

/** The database of this machine. The key is checked at each look. */
export function localSource({ db, clock }: Pick<Instance, "db" | "clock">, key: string): EventSource {
  const account = async () => {
    const presented = { authorization: `Bearer ${key}` };
    const principal = await identify(db, presented, { resource: "/api/v1", now: clock.now() });
    if (principal?.credential.scopes.includes("read")) return principal.accountId;
    throw new Refusal("insufficient_scope", "BECKON_API_KEY does not have the scope read.");
  };
  return {
    name: "the local database",
    pollMs: () => SECOND / 2,
    newest: () =>
      orAway(async () => {
        const accountId = await account();
        const no = await newestEventOf(db, accountId);
        return no === 0 ? null : eventId(accountId, no);
      }),
    eventsAfter: (after) =>
      orAway(async () => {
        const filter = { after, type: null, projectId: null, limit: PAGE };
        const { rows, hasMore } = await eventsOf(db, await account(), filter);
        return { events: rows.map(presentEvent), hasMore };
      }),
  };
}

async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw isUnavailable(thrown) ? new SourceAway("The database does not answer.") : thrown;
  }
}

/** How long an answer may take, in ms. */
const ANSWER_MS = 30 * SECOND;

/** A service, by its REST API. It is asked less often after an hour without events, within its limits of a day. */
export function remoteSource(http: Pick<HttpClient, "callApi">, url: string, key: string): EventSource {
  const name = new URL(url).origin;
  const eventsAfter = async (after: string | null) => {
    const query = new URLSearchParams({ limit: String(PAGE), ...(after === null ? {} : { after }) });
    const request = { method: "GET", headers: { Authorization: `Bearer ${key}` }, timeMs: ANSWER_MS } as const;
    const answer = await http.callApi({ ...request, url: `${url}/api/v1/events?${query}` }).catch((thrown) => {
      throw thrown instanceof ApiFailure ? new SourceAway(`No answer from ${name}.`) : thrown;
    });
    const { status, headers, text } = answer;
    if (status === 429 || status >= 500) {
      const seconds = Number(headers["retry-after"]);
      throw new SourceAway(`${name} answered ${status}.`, seconds > 0 ? seconds * SECOND : undefined);
    }
    return pageIn(text) ?? refuse(text, `What answers at ${name} is not a Beckon service (status ${status}).`);
  };
  return {
    name,
    pollMs: (idleMs) => (idleMs > IDLE_MS ? 10 * SECOND : 2 * SECOND),
    eventsAfter,
    async newest() {
      let after: string | null = null;
      for (;;) {
        const { events, hasMore } = await eventsAfter(after);
        after = events.at(-1)?.id ?? after;
        if (!hasMore) return after;
      }
    },
  };
}

const IDLE_MS = 60 * 60 * SECOND;

function pageIn(text: string): { events: ListedEvent[]; hasMore: boolean } | null {
  const { events, has_more: hasMore } = parsed(text) as { events?: ListedEvent[]; has_more?: boolean };
  return Array.isArray(events) && typeof hasMore === "boolean" ? { events, hasMore } : null;
}

/** @throws Refusal that of the service, or with these words */
function refuse(text: string, otherwise: string): never {
  const { code, message } = (parsed(text) as { error?: { code?: ErrorCode; message?: string } }).error ?? {};
  throw code && message ? new Refusal(code, message) : new Refusal("unavailable", otherwise);
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
