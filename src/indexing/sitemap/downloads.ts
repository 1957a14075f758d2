import type { OpenedSitemap } from "./fetch.ts";

interface Download {
  readonly chunks: Buffer[];
  opened: OpenedSitemap | null;
  ended: boolean;
  failure: unknown;
  /** Whether nobody will read it any more. */
  dropped: boolean;
}

export interface Prefetch {
  /** Most downloads that run at once. */
  readonly concurrency: number;
  /** Most bytes that are buffered and not read yet, in all downloads. */
  readonly bufferBytes: number;
}

/**
 * Fetches documents concurrently. They are read one after another, in their order. Data that arrives early is
 * buffered, and the downloads wait when the buffer is full.
 */
export class Downloads {
  readonly #open: (url: string) => Promise<OpenedSitemap>;
  readonly #urls: readonly string[];
  readonly #prefetch: Prefetch;
  readonly #downloads: Download[];
  #started = 0;
  #running = 0;
  /** Index of the document that is being read. */
  #reading = 0;
  #buffered = 0;
  #closed = false;
  #waiting: (() => void)[] = [];

  constructor(urls: readonly string[], prefetch: Prefetch, open: (url: string) => Promise<OpenedSitemap>) {
    this.#urls = urls;
    this.#prefetch = prefetch;
    this.#open = open;
    this.#downloads = urls.map(() => ({ chunks: [], opened: null, ended: false, failure: null, dropped: false }));
    this.#startMore();
  }

  /** The bytes of document `index`. Each may be read once, in order. @throws what fetching it threw */
  async *read(index: number): AsyncGenerator<Buffer> {
    const download = this.#downloads[index]!;
    this.#reading = index;
    this.#notify();
    try {
      for (;;) {
        const chunk = download.chunks.shift();
        if (chunk) {
          this.#buffered -= chunk.length;
          this.#notify();
          yield chunk;
        } else if (download.failure) throw download.failure;
        else if (download.ended) return;
        else await this.#nextChange();
      }
    } finally {
      this.#drop(download);
    }
  }

  /** The Content-Type of a document whose body has begun to arrive. */
  charsetOf(index: number): string | null {
    return this.#downloads[index]!.opened?.charset ?? null;
  }

  /** Discards a document, however much of it was read. */
  drop(index: number): void {
    this.#drop(this.#downloads[index]!);
  }

  /** Discards everything that is not read yet. */
  close(): void {
    this.#closed = true;
    for (const download of this.#downloads) this.#drop(download);
  }

  #startMore(): void {
    while (!this.#closed && this.#running < this.#prefetch.concurrency && this.#started < this.#urls.length) {
      this.#running += 1;
      void this.#fetch(this.#started++);
    }
  }

  async #fetch(index: number): Promise<void> {
    const download = this.#downloads[index]!;
    try {
      download.opened = await this.#open(this.#urls[index]!);
      if (download.dropped) download.opened.discard();
      else await this.#fill(index, download, download.opened.body);
    } catch (thrown) {
      download.failure = thrown ?? new Error("a download failed");
    }
    download.ended = true;
    this.#running -= 1;
    this.#startMore();
    this.#notify();
  }

  async #fill(index: number, download: Download, body: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of body) {
      if (download.dropped) return;
      download.chunks.push(chunk);
      this.#buffered += chunk.length;
      this.#notify();
      // The document that is being read never waits for buffered ones, because then everything would stop.
      const mayGoOn = () =>
        this.#buffered <= this.#prefetch.bufferBytes || (index === this.#reading && download.chunks.length === 0);
      while (!mayGoOn() && !download.dropped) await this.#nextChange();
    }
  }

  #drop(download: Download): void {
    if (download.dropped) return;
    download.dropped = true;
    for (const chunk of download.chunks.splice(0)) this.#buffered -= chunk.length;
    if (!download.ended) download.opened?.discard();
    this.#notify();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #notify(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
