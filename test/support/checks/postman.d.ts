/** The part of the package that the tests use. Its own types do not match its code. */
declare module "postman-collection" {
  interface Pair {
    readonly key: string;
    readonly value: string;
  }
  interface Pairs {
    map<T>(each: (pair: Pair) => T): T[];
    toObject(): Record<string, string>;
  }
  export interface Item {
    readonly name: string;
    readonly request: {
      readonly method: string;
      readonly body?: { readonly raw?: string };
      readonly url: { readonly path: string[]; readonly variables: Pairs; readonly query: Pairs; getHost(): string };
    };
    getAuth(): { readonly type: string; parameters(): Pairs };
  }
  export class Collection {
    constructor(definition: object);
    readonly variables: Pairs;
    forEachItem(each: (item: Item) => void): void;
  }
}
