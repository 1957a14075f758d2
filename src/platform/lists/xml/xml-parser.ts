import { SaxesParser } from "saxes";
import type { SitemapLimits } from "../limits.ts";

/** Called with the parts of a document, in order. What one of these throws ends the parsing. */
export interface XmlHandler {
  onDoctype(): void;
  onOpenTag(name: string, attributes: Readonly<Record<string, string>>): void;
  onText(text: string): void;
  onCloseTag(): void;
  /** Makes the error for a document that is refused. */
  refusal(what: string): Error;
}

/**
 * A strict XML parser. It buffers at most `token` characters and `attributes` of an element, and its errors never quote the
 * document.
 */
export class XmlParser {
  readonly #saxes = new StrictSaxes();
  readonly #handler: XmlHandler;
  readonly #limits: Pick<SitemapLimits, "token" | "attributes">;
  /** Of the element that is being read. */
  #attributes = 0;
  /** Characters given to saxes. */
  #given = 0;
  /** How many of them saxes had read at the last event. */
  #eventAt = 0;
  /** The same at the last end tag. */
  #closedAt = -1;

  constructor(handler: XmlHandler, limits: Pick<SitemapLimits, "token" | "attributes">) {
    this.#handler = handler;
    this.#limits = limits;
    const onText = (text: string) => {
      this.#onEvent();
      handler.onText(text);
    };
    this.#saxes.on("doctype", () => handler.onDoctype());
    this.#saxes.on("comment", () => this.#onEvent());
    this.#saxes.on("attribute", () => this.#countAttribute());
    this.#saxes.on("text", onText);
    this.#saxes.on("cdata", onText);
    this.#saxes.on("opentag", ({ name, attributes }) => {
      this.#onEvent();
      this.#attributes = 0;
      handler.onOpenTag(name, attributes);
    });
    this.#saxes.on("closetag", () => {
      this.#onEvent();
      this.#closedAt = this.#eventAt;
      handler.onCloseTag();
    });
  }

  /** Whether the text so far ended with an end tag, so that nothing is buffered or half read. */
  get isAfterEndTag(): boolean {
    return this.#closedAt === this.#given;
  }

  /** Parses the next part of the document. */
  write(text: string): void {
    this.#feed(text);
    this.#given += text.length;
    this.#refuseLongToken(this.#given);
  }

  /** Ends the document. */
  end(): void {
    this.#feed(null);
  }

  #feed(text: string | null): void {
    try {
      this.#saxes.write(text);
    } catch (thrown) {
      throw thrown instanceof NotWellFormed ? this.#handler.refusal(thrown.message) : thrown;
    }
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > this.#limits.attributes) throw this.#handler.refusal("an element has too many attributes");
  }

  #onEvent(): void {
    this.#refuseLongToken(this.#saxes.position);
    this.#eventAt = this.#saxes.position;
  }

  #refuseLongToken(position: number): void {
    if (position - this.#eventAt > this.#limits.token)
      throw this.#handler.refusal("a tag, a comment or a text is too long");
  }
}

/** Replaces the errors of saxes, which quote the document. Its message is ours. */
class NotWellFormed extends Error {
  /** @param words of saxes */
  constructor(words: string) {
    const fault = FAULTS.find(([pattern]) => pattern.test(words))?.[1];
    super(`it is not well-formed XML${fault === undefined ? "" : `: ${fault}`}`);
  }
}

/** The faults that people make, by the words of saxes. */
const FAULTS: readonly (readonly [words: RegExp, ours: string])[] = [
  [/^(?:an|the) XML declaration must/, "a comment or something else stands before its XML declaration"],
  [
    /^(?:undefined entity|malformed character entity|empty entity name|disallowed character in entity name)/,
    "an & is not written as &amp;",
  ],
  [/^(?:unclosed tag|unexpected end|document must contain)/, "it ends too early"],
  [/^(?:unmatched closing tag|unexpected close tag)/, "a closing tag does not fit"],
];

/**
 * Throws errors from `fail` instead of a handler of `error`. That would be the eighth handler, with which V8 keeps the
 * parser's fields in a hash table and parsing becomes several times slower.
 */
class StrictSaxes extends SaxesParser {
  override fail(words: string): never {
    throw new NotWellFormed(words);
  }
}
