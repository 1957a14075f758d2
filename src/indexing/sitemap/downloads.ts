import type { OpenedSitemap } from "./fetch.ts";

interface Download {
  readonly chunks: Buffer[];
  opened: OpenedSitemap | null;
  ended: boolean;
  failure: unknown;
  /** Nobody will read it any more. */
  dropped: boolean;
}

export interface Prefetch {
  /** Downloads that run at a time. */
  readonly concurrency: number;
  /** Bytes that may lie here unread, of all together. */
  readonly bufferBytes: number;
}

/**
 * Documents that are fetched some at a time and read one after another, in their order: what arrives before its
 * turn waits here, and when that is too much, its sender does.
 */
export class Downloads {
  readonly #open: (url: string) => Promise<OpenedSitemap>;
  readonly #urls: readonly string[];
  readonly #prefetch: Prefetch;
  readonly #downloads: Download[];
  #begun = 0;
  #running = 0;
  /** The one whose turn it is. */
  #turn = 0;
  #held = 0;
  #closed = false;
  #waiting: (() => void)[] = [];

  constructor(urls: readonly string[], prefetch: Prefetch, open: (url: string) => Promise<OpenedSitemap>) {
    this.#urls = urls;
    this.#prefetch = prefetch;
    this.#open = open;
    this.#downloads = urls.map(() => ({ chunks: [], opened: null, ended: false, failure: null, dropped: false }));
    this.#beginMore();
  }

  /** The bytes of document `index`; each may be read once, the first one first. @throws what its fetching threw */
  async *read(index: number): AsyncGenerator<Buffer> {
    const download = this.#downloads[index]!;
    this.#turn = index;
    this.#tell();
    try {
      for (;;) {
        const chunk = download.chunks.shift();
        if (chunk) {
          this.#held -= chunk.length;
          this.#tell();
          yield chunk;
        } else if (download.failure) throw download.failure;
        else if (download.ended) return;
        else await this.#change();
      }
    } finally {
      this.#drop(download);
    }
  }

  /** Lets go of one, however much of it was read. */
  drop(index: number): void {
    this.#drop(this.#downloads[index]!);
  }

  /** Lets go of everything that is not read yet. */
  close(): void {
    this.#closed = true;
    for (const download of this.#downloads) this.#drop(download);
  }

  #beginMore(): void {
    while (!this.#closed && this.#running < this.#prefetch.concurrency && this.#begun < this.#urls.length) {
      this.#running += 1;
      void this.#fetch(this.#begun++);
    }
  }

  async #fetch(index: number): Promise<void> {
    const download = this.#downloads[index]!;
    try {
      download.opened = await this.#open(this.#urls[index]!);
      if (download.dropped) download.opened.drop();
      else await this.#fill(index, download, download.opened.body);
    } catch (thrown) {
      download.failure = thrown ?? new Error("a download failed");
    }
    download.ended = true;
    this.#running -= 1;
    this.#beginMore();
    this.#tell();
  }

  async #fill(index: number, download: Download, body: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of body) {
      if (download.dropped) return;
      download.chunks.push(chunk);
      this.#held += chunk.length;
      this.#tell();
      // The one that is being read is never stopped by those that wait, or all would.
      const mayGoOn = () =>
        this.#held <= this.#prefetch.bufferBytes || (index === this.#turn && download.chunks.length === 0);
      while (!mayGoOn() && !download.dropped) await this.#change();
    }
  }

  #drop(download: Download): void {
    if (download.dropped) return;
    download.dropped = true;
    for (const chunk of download.chunks.splice(0)) this.#held -= chunk.length;
    if (!download.ended) download.opened?.drop();
    this.#tell();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #tell(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
