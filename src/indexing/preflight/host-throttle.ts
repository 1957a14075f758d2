/** How fast pages are fetched. */
export interface Pace {
  /** Requests that may run at once: in all, and to one host. */
  readonly concurrency: number;
  readonly perHost: number;
  /** Least time between the starts of two requests to one host, in ms. */
  readonly gapMs: number;
}

export const PACE: Pace = { concurrency: 32, perHost: 2, gapMs: 200 };

interface Host {
  readonly waiting: (() => void)[];
  running: number;
  /** Whether the gap after the latest start is still running. */
  isInGap: boolean;
}

/**
 * Schedules requests round-robin by host, so that no host is overloaded and a slow one does not delay the others. A host is
 * kept only while it is in use.
 */
export class HostThrottle {
  readonly #pace: Pace;
  /** The hosts in round-robin order: a host that starts a request goes to the end. */
  readonly #hosts = new Map<string, Host>();
  #running = 0;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /**
   * Runs `work` when it is the host's turn.
   * @param isUrgent whether it goes before other work for the same host
   * @throws the signal's reason when it is aborted before the work starts
   */
  async run<T>(
    name: string,
    work: () => Promise<T>,
    { signal, isUrgent = false }: { signal?: AbortSignal; isUrgent?: boolean } = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const host = this.#host(name);
    await this.#waitForTurn(host, isUrgent, signal);
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
    const host = this.#hosts.get(name) ?? { waiting: [], running: 0, isInGap: false };
    this.#hosts.set(name, host);
    return host;
  }

  #waitForTurn(host: Host, isUrgent: boolean, signal: AbortSignal | undefined): Promise<void> {
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
      if (isIdle && host.running === 0 && !host.isInGap) this.#hosts.delete(name);
      if (isIdle || host.isInGap || host.running >= this.#pace.perHost) continue;
      if (this.#running >= this.#pace.concurrency) break;
      // The host moves to the end, where this loop meets it once more. By then it is in its gap, or at its limit.
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
      host.isInGap = true;
      setTimeout(() => {
        host.isInGap = false;
        this.#dispatch();
      }, this.#pace.gapMs);
    }
    begin();
  }
}
