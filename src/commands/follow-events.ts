import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../platform/clock.ts";
import { type EventSource, type ListedEvent, SourceAway } from "./event-source.ts";

export interface FollowOptions {
  /** The id of the event before the first one. Default: the newest there is. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  /** It is known where to begin. */
  onReady(after: string | null): void;
  /** Prints a line about the connection. */
  progress(text: string): void;
}

/** How long to wait after so many failures in a row, in ms. */
const BACKOFF = [1, 2, 5, 10, 30].map((seconds) => seconds * SECOND);

/** The events of a source as they happen, until the signal. A source that is away is asked again. @throws Refusal */
export async function* followEvents(source: EventSource, options: FollowOptions): AsyncGenerator<ListedEvent> {
  const { signal, onReady } = options;
  let after: string | null = options.after ?? (await asked(() => source.newest(), options));
  onReady(after);
  for (let lastAt = Date.now(); !signal.aborted; ) {
    const { events, hasMore } = await asked(() => source.eventsAfter(after), options);
    for (const event of events) {
      after = event.id;
      lastAt = Date.now();
      yield event;
    }
    if (!hasMore) await wait(source.pollMs(Date.now() - lastAt), undefined, { signal });
  }
}

/** Asks until there is an answer. @throws Refusal; an AbortError after the signal */
async function asked<T>(ask: () => Promise<T>, { signal, progress }: FollowOptions): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      const answer = await ask();
      if (failures > 0) progress("Connected again.");
      return answer;
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof SourceAway)) throw thrown;
      const ms = thrown.retryMs ?? BACKOFF[Math.min(failures, BACKOFF.length - 1)]!;
      progress(`${thrown.message} Trying again in ${Math.ceil(ms / SECOND)} s.`);
      await wait(ms, undefined, { signal });
    }
  }
}
