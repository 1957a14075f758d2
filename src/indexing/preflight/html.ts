import { Parser } from "htmlparser2";
import { asksForNoIndex } from "./directives.ts";
import { isPosting, Microdata } from "./structured-data.ts";

/** What a document says about itself. */
export interface PageSignals {
  isNoIndex: boolean;
  /** `href` of `link rel=canonical` and of `base`, as they stand there. */
  readonly canonicals: string[];
  base: string | null;
  /** See isPosting. */
  isPosting: boolean;
}

type Attributes = Readonly<Record<string, string>>;

/**
 * As deep as browsers nest. The parser's stack costs time by its depth: 512 KB of nested tags would hold up the
 * process for eight seconds. Deeper than this nothing is read any more.
 */
const DEEPEST = 512;

/** Canonicals that are kept: a page has one, and Google believes none of several. */
const MOST_CANONICALS = 5;

/**
 * Reads signs out of HTML as it comes in and stops as soon as no more can follow. Robots rules and the canonical
 * count in the head only, where they are documented to stand: what visitors wrote into a page never decides.
 * @param seeksPosting whether to read on behind the head for structured data
 */
export async function readHtml(chunks: AsyncIterable<Buffer>, seeksPosting: boolean): Promise<PageSignals> {
  const scan = new Scan(seeksPosting);
  // Not fatal: what is no UTF-8 becomes U+FFFD, and markup is ASCII in every encoding that counts.
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    scan.write(decoder.decode(chunk, { stream: true }));
    if (scan.isDone) break;
  }
  return scan.signs;
}

class Scan {
  readonly signs: PageSignals = { isNoIndex: false, canonicals: [], base: null, isPosting: false };
  isDone = false;
  readonly #seeksPosting: boolean;
  readonly #microdata = new Microdata();
  readonly #parser: Parser;
  #isInHead = true;
  /** Of the open elements, and the depth at which one opened whose content is not the page's. */
  #depth = 0;
  #asideFrom = Number.POSITIVE_INFINITY;
  /** The text of a JSON-LD script while it is open. */
  #json: string[] | null = null;

  constructor(seeksPosting: boolean) {
    this.#seeksPosting = seeksPosting;
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      onclosetag: (name) => this.#close(name),
      ontext: (text) => this.#json?.push(text),
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  #open(name: string, attributes: Attributes): void {
    if (this.isDone) return;
    this.#depth += 1;
    if (this.#depth > DEEPEST) {
      this.#stop();
      return;
    }
    if (name === "body" || name === "frameset") this.#leaveHead();
    // Googlebot runs scripts, so it skips noscript; a template is no content.
    if (name === "noscript" || name === "template") this.#asideFrom = Math.min(this.#asideFrom, this.#depth);
    if (this.#depth >= this.#asideFrom) return;
    if (this.#isInHead) this.#readHead(name, attributes);
    if (this.#seeksPosting) this.#readPosting(name, attributes);
  }

  #readHead(name: string, attributes: Attributes): void {
    if (name === "meta" && attributes.content !== undefined) {
      const robot = attributes.name?.trim().toLowerCase();
      if ((robot === "robots" || robot === "googlebot") && asksForNoIndex(attributes.content)) {
        this.signs.isNoIndex = true;
        this.#stop();
      }
    }
    if (attributes.href === undefined) return;
    if (name === "base") this.signs.base ??= attributes.href;
    const isCanonical = name === "link" && attributes.rel?.toLowerCase().split(/\s+/).includes("canonical");
    if (isCanonical && this.signs.canonicals.length < MOST_CANONICALS) this.signs.canonicals.push(attributes.href);
  }

  #readPosting(name: string, attributes: Attributes): void {
    if (name === "script" && /^\s*application\/ld\+json\s*(?:;|$)/i.test(attributes.type ?? "")) this.#json = [];
    if (this.#microdata.isPosting(attributes)) this.#foundPosting();
  }

  #close(name: string): void {
    if (this.isDone) return;
    if (name === "script" && this.#json) {
      if (isPosting(this.#json.join(""))) this.#foundPosting();
      this.#json = null;
    }
    if (this.#depth === this.#asideFrom) this.#asideFrom = Number.POSITIVE_INFINITY;
    this.#depth -= 1;
    if (name === "head") this.#leaveHead();
  }

  #leaveHead(): void {
    this.#isInHead = false;
    if (!this.#seeksPosting || this.signs.isPosting) this.#stop();
  }

  #foundPosting(): void {
    this.signs.isPosting = true;
    if (!this.#isInHead) this.#stop();
  }

  /** Paused, the parser does not even look at the rest of what it was given. */
  #stop(): void {
    this.isDone = true;
    this.#parser.pause();
  }
}
