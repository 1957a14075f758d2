/** How much at once. */
export interface Pace {
  /** Requests under way, and of one host. */
  readonly concurrency: number;
  readonly perHost: number;
  /** Between the beginnings of two requests to one host, in ms. */
  readonly gapMs: number;
}

export const PACE: Pace = { concurrency: 32, perHost: 2, gapMs: 200 };

interface Host {
  readonly waiting: (() => void)[];
  running: number;
  /** Until the gap after the latest beginning is over. */
  isResting: boolean;
}

/**
 * Gives turns to whoever wants to send a request, so that no host is pressed and none keeps the others waiting: the
 * hosts stand in a ring, each has a turn when the ring comes round to it. Holds hosts only while they are in use.
 */
export class HostThrottle {
  readonly #pace: Pace;
  /** The ring; who had a turn goes to its end. */
  readonly #hosts = new Map<string, Host>();
  #running = 0;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /**
   * Does `work` when it is the host's turn.
   * @param isUrgent goes before what waits for the same host
   * @throws what the signal was aborted for, when that comes first
   */
  async run<T>(
    name: string,
    work: () => Promise<T>,
    { signal, isUrgent = false }: { signal?: AbortSignal; isUrgent?: boolean } = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const host = this.#host(name);
    await this.#begin(host, isUrgent, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#running -= 1;
      host.running -= 1;
      this.#dispatch();
    }
  }

  #host(name: string): Host {
    const host = this.#hosts.get(name) ?? { waiting: [], running: 0, isResting: false };
    this.#hosts.set(name, host);
    return host;
  }

  #begin(host: Host, isUrgent: boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        host.waiting.splice(host.waiting.indexOf(begin), 1);
        this.#dispatch();
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
      if (isUrgent) host.waiting.unshift(begin);
      else host.waiting.push(begin);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const [name, host] of this.#hosts) {
      const isIdle = host.waiting.length === 0;
      if (isIdle && host.running === 0 && !host.isResting) this.#hosts.delete(name);
      if (isIdle || host.isResting || host.running >= this.#pace.perHost) continue;
      if (this.#running >= this.#pace.concurrency) break;
      // To the end of the ring, where this very loop comes to it again: it rests then.
      this.#hosts.delete(name);
      this.#hosts.set(name, host);
      this.#start(host);
    }
  }

  #start(host: Host): void {
    const begin = host.waiting.shift()!;
    this.#running += 1;
    host.running += 1;
    if (this.#pace.gapMs > 0) {
      host.isResting = true;
      setTimeout(() => {
        host.isResting = false;
        this.#dispatch();
      }, this.#pace.gapMs);
    }
    begin();
  }
}
