/** Begins the namespace of a prefix that is not declared. */
export const UNDECLARED = "undeclared:";

/** Namespaces in XML 1.0, as far as sitemaps need them: for elements only. An undeclared prefix is not an error. */
export class Namespaces {
  /**
   * The declarations of each open element; null for none. They are searched and not inherited by copying, because a
   * root may declare thousands.
   */
  readonly #declared: (ReadonlyMap<string, string> | null)[] = [new Map([["", ""]])];

  /** The default namespace in the innermost open element. */
  get default(): string {
    return this.#find("")!;
  }

  enter(name: string, attributes: Readonly<Record<string, string>>): { local: string; namespace: string } {
    let declared: Map<string, string> | null = null;
    for (const attribute in attributes) {
      if (attribute !== "xmlns" && !attribute.startsWith("xmlns:")) continue;
      declared ??= new Map();
      declared.set(attribute.slice("xmlns:".length), attributes[attribute]!.trim());
    }
    this.#declared.push(declared);
    const colon = name.indexOf(":");
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    return { local: name.slice(colon + 1), namespace: this.#find(prefix) ?? `${UNDECLARED}${prefix}` };
  }

  leave(): void {
    this.#declared.pop();
  }

  /** The innermost declaration applies. Elements are nested only a few deep, so the search is short. */
  #find(prefix: string): string | undefined {
    for (let depth = this.#declared.length - 1; depth >= 0; depth--) {
      const namespace = this.#declared[depth]?.get(prefix);
      if (namespace !== undefined) return namespace;
    }
    return undefined;
  }
}
