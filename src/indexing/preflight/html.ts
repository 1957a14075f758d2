import { Parser } from "htmlparser2";
import { AGENTS, type Agent } from "../../domain/projects/access.ts";
import { asksForNoIndex } from "./directives.ts";
import { instantRefresh } from "./refresh.ts";
import { isPosting, Microdata } from "./structured-data.ts";

/** What an HTML document says about its own indexing. */
export interface PageSignals {
  /** For Googlebot, by a rule of its own or one for every robot. */
  isNoIndex: boolean;
  /** Crawlers that a rule asks not to index. Reading ends with a rule for Googlebot or for all. */
  readonly noIndexFor: Set<Agent>;
  /** `href` of each `link rel=canonical` and of `base`, as written. */
  readonly canonicals: string[];
  base: string | null;
  /** Where `meta http-equiv=refresh` leads without a delay, as written. */
  refresh: string | null;
  /** Whether it has structured data that makes it acceptable for the Google Indexing API (structured-data.ts). */
  isPosting: boolean;
}

type Attributes = Readonly<Record<string, string>>;

/**
 * Deepest nesting that is read, the same as in browsers. The parser's time grows with the depth, so that deeply
 * nested tags could block the process for seconds.
 */
const MAX_DEPTH = 512;

/** Most canonicals that are kept. A page should have one, and Google ignores several. */
const MAX_CANONICALS = 5;

/**
 * The elements that a head may have. The first other one ends it for Google
 * (https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata).
 */
const IN_HEAD: ReadonlySet<string> = new Set(
  "html head title meta link script style base noscript template".split(" "),
);

export interface HtmlOptions {
  /** Whether to read on after the head for structured data. */
  readonly seeksPosting: boolean;
  /** Real ms. */
  readonly now: number;
}

/**
 * Reads HTML as it arrives and stops as soon as nothing more can matter. Robots rules, canonicals and refreshes count
 * in the head only, as documented, so that content from a page's visitors never decides.
 */
export async function readHtml(texts: AsyncIterable<string>, options: HtmlOptions): Promise<PageSignals> {
  const scanner = new HtmlScanner(options);
  for await (const text of texts) {
    scanner.write(text);
    if (scanner.isDone) break;
  }
  return scanner.signals;
}

class HtmlScanner {
  readonly signals: PageSignals = {
    isNoIndex: false,
    noIndexFor: new Set(),
    canonicals: [],
    base: null,
    refresh: null,
    isPosting: false,
  };
  isDone = false;
  readonly #options: HtmlOptions;
  readonly #microdata = new Microdata();
  readonly #parser: Parser;
  #isInHead = true;
  /** Number of open elements, and the depth of the outermost element whose content is skipped. */
  #depth = 0;
  #skippedFrom = Number.POSITIVE_INFINITY;
  /** The text of the open JSON-LD script. */
  #json: string[] | null = null;

  constructor(options: HtmlOptions) {
    this.#options = options;
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
    if (this.#depth > MAX_DEPTH) {
      this.#stop();
      return;
    }
    if (name === "body") this.#leaveHead();
    // Googlebot runs scripts, so it skips noscript; a template is not content.
    if (name === "noscript" || name === "template") this.#skippedFrom = Math.min(this.#skippedFrom, this.#depth);
    if (this.#depth >= this.#skippedFrom) return;
    if (this.#isInHead && !IN_HEAD.has(name)) this.#leaveHead();
    if (this.#isInHead) this.#readHead(name, attributes);
    if (this.#options.seeksPosting) this.#readPosting(name, attributes);
  }

  #readHead(name: string, attributes: Attributes): void {
    if (name === "meta") this.#readMeta(attributes);
    if (attributes.href === undefined) return;
    if (name === "base") this.signals.base ??= attributes.href;
    const isCanonical = name === "link" && attributes.rel?.toLowerCase().split(/\s+/).includes("canonical");
    if (isCanonical && this.signals.canonicals.length < MAX_CANONICALS) this.signals.canonicals.push(attributes.href);
  }

  #readMeta({ name, "http-equiv": header, content }: Attributes): void {
    if (content === undefined) return;
    const robot = name?.trim().toLowerCase();
    const robots = AGENTS.filter((agent) => robot === "robots" || robot === agent.toLowerCase());
    if (robots.length > 0 && asksForNoIndex(content, this.#options.now)) {
      for (const agent of robots) this.signals.noIndexFor.add(agent);
      this.signals.isNoIndex = this.signals.noIndexFor.has("Googlebot");
      if (this.signals.isNoIndex) this.#stop();
    }
    if (header?.trim().toLowerCase() === "refresh") this.signals.refresh ??= instantRefresh(content);
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
    if (this.#depth === this.#skippedFrom) this.#skippedFrom = Number.POSITIVE_INFINITY;
    this.#depth -= 1;
    if (name === "head") this.#leaveHead();
  }

  #leaveHead(): void {
    this.#isInHead = false;
    if (!this.#options.seeksPosting || this.signals.isPosting) this.#stop();
  }

  #foundPosting(): void {
    this.signals.isPosting = true;
    if (!this.#isInHead) this.#stop();
  }

  /** Pauses the parser, so that it does not read the rest of its input. */
  #stop(): void {
    this.isDone = true;
    this.#parser.pause();
  }
}
