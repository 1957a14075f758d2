import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

interface Closable {
  close(): unknown;
}

/** Opens something before each test of the file and closes it after. @returns a proxy for the one of the running test */
export function eachTest<T extends Closable>(open: () => T | Promise<T>): T {
  const current: { it?: T } = {};
  beforeEach(async () => {
    current.it = await open();
  });
  afterEach(() => current.it?.close());
  return proxyFor(current);
}

/** Opens something once for all tests of the file, and closes it after the last. @returns a proxy for it */
export function allTests<T extends Closable>(open: () => T | Promise<T>): T {
  const current: { it?: T } = {};
  beforeAll(async () => {
    current.it = await open();
  });
  afterAll(() => current.it?.close());
  return proxyFor(current);
}

/** A proxy for the object that is open, so that helpers of a file can refer to it before it is opened. */
function proxyFor<T extends Closable>(current: { readonly it?: T }): T {
  const opened = (): T => {
    if (current.it) return current.it;
    throw new Error("used outside of a test, before it was opened");
  };
  return new Proxy({} as T, {
    get: (_, name) => {
      const value = Reflect.get(opened(), name);
      // Methods of classes with private fields want the object itself.
      return typeof value === "function" ? value.bind(opened()) : value;
    },
    set: (_, name, value) => Reflect.set(opened(), name, value),
    has: (_, name) => Reflect.has(opened(), name),
    ownKeys: () => Reflect.ownKeys(opened()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(opened(), name);
      // A proxy may show only properties as fixed that its target has.
      return found && { ...found, configurable: true };
    },
  });
}
