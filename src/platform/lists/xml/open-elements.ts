import type { SitemapLimits } from "../limits.ts";
import { DIALECTS, type Dialect } from "./dialects.ts";
import { Namespaces, UNDECLARED } from "./namespaces.ts";
import { SCANNED } from "./scan.ts";

/** The open elements of a document. The root element decides which dialect it is in. */
export class OpenElements {
  readonly #limits: SitemapLimits;
  readonly #refusal: (what: string) => Error;
  readonly #namespaces = new Namespaces();
  /** The path of each open element, the root's first. An element of a foreign namespace has no name in it. */
  readonly #paths: string[] = [];
  #dialect: Dialect | undefined;
  /** Elements so far, open or not. */
  #count = 0;

  constructor(limits: SitemapLimits, refusal: (what: string) => Error) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** Defined once the root element was entered. */
  get dialect(): Dialect | undefined {
    return this.#dialect;
  }

  get depth(): number {
    return this.#paths.length;
  }

  /** The path of the innermost open element, such as `urlset/url/loc`. */
  get path(): string {
    return this.#paths[this.#paths.length - 1] ?? "";
  }

  /** Whether the scanner (scan.ts) can read entries here: only the root is open, and names without a prefix are its own. */
  get takesScannedEntries(): boolean {
    const { depth, name } = this.#limits;
    return (
      this.depth === 1 &&
      this.#dialect!.format === "urlset" &&
      this.#dialect!.namespace(this.#namespaces.default) &&
      depth >= SCANNED.depth &&
      name >= SCANNED.name
    );
  }

  /** @throws the refusal of a limit, or of an unknown root element */
  enter(name: string, attributes: Readonly<Record<string, string>>): void {
    if (!this.hasRoomFor(1)) throw this.#refusal("it has too many elements");
    if (name.length > this.#limits.name) throw this.#refusal("an element has too long a name");
    if (this.depth >= this.#limits.depth) throw this.#refusal("its elements are nested too deeply");
    this.count(1);
    const { local, namespace } = this.#namespaces.enter(name, attributes);
    this.#dialect ??= DIALECTS.find((one) => one.root === local && one.namespace(namespace));
    if (!this.#dialect) throw this.#refusal(unknownRoot(local, namespace));
    const own = this.#dialect.namespace(namespace) ? local : "";
    this.#paths.push(this.depth === 0 ? own : `${this.path}/${own}`);
  }

  leave(): void {
    this.#paths.pop();
    this.#namespaces.leave();
  }

  /** Whether so many more elements are within the limit. */
  hasRoomFor(elements: number): boolean {
    return this.#count + elements <= this.#limits.elements;
  }

  /** Counts elements that the scanner has read. */
  count(elements: number): void {
    this.#count += elements;
  }
}

/** What is wrong with a root element, without a word of the document. */
function unknownRoot(local: string, namespace: string): string {
  const root = DIALECTS.find((one) => one.root === local)?.root;
  if (!root) return "its root element is none of urlset, sitemapindex, rss and feed";
  return namespace.startsWith(UNDECLARED)
    ? `the prefix of its ${root} is not declared as a namespace`
    : `its ${root} is in a namespace (xmlns) that is not the one of the format`;
}
