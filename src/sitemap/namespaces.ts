/** Namespaces in XML 1.0, as far as sitemaps need it: of elements only, and an undeclared prefix is no error. */
export class Namespaces {
  /** One scope an open element; an element that declares nothing shares its parent's. */
  readonly #scopes: ReadonlyMap<string, string>[] = [new Map([["", ""]])];

  /** Of an element without a prefix that would open here. */
  get default(): string {
    return this.#scopes.at(-1)!.get("")!;
  }

  enter(name: string, attributes: Readonly<Record<string, string>>): { local: string; namespace: string } {
    let scope = this.#scopes.at(-1)!;
    for (const attribute in attributes) {
      if (attribute !== "xmlns" && !attribute.startsWith("xmlns:")) continue;
      scope = new Map(scope).set(attribute.slice("xmlns:".length), attributes[attribute]!.trim());
    }
    this.#scopes.push(scope);
    const colon = name.indexOf(":");
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    return { local: name.slice(colon + 1), namespace: scope.get(prefix) ?? `undeclared:${prefix}` };
  }

  leave(): void {
    this.#scopes.pop();
  }
}
