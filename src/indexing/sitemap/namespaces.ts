/** Namespaces in XML 1.0, as far as sitemaps need it: of elements only, and an undeclared prefix is no error. */
export class Namespaces {
  /** What each open element declares itself; null: nothing. Never copied down: a root may declare thousands. */
  readonly #declared: (ReadonlyMap<string, string> | null)[] = [new Map([["", ""]])];

  /** Of an element without a prefix that would open here. */
  get default(): string {
    return this.#find("")!;
  }

  enter(name: string, attributes: Readonly<Record<string, string>>): { local: string; namespace: string } {
    let own: Map<string, string> | null = null;
    for (const attribute in attributes) {
      if (attribute !== "xmlns" && !attribute.startsWith("xmlns:")) continue;
      own ??= new Map();
      own.set(attribute.slice("xmlns:".length), attributes[attribute]!.trim());
    }
    this.#declared.push(own);
    const colon = name.indexOf(":");
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    return { local: name.slice(colon + 1), namespace: this.#find(prefix) ?? `undeclared:${prefix}` };
  }

  leave(): void {
    this.#declared.pop();
  }

  /** The innermost declaration holds. Elements are nested a few deep at most, so the way up is short. */
  #find(prefix: string): string | undefined {
    for (let depth = this.#declared.length - 1; depth >= 0; depth--) {
      const namespace = this.#declared[depth]?.get(prefix);
      if (namespace !== undefined) return namespace;
    }
    return undefined;
  }
}
