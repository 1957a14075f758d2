/**
 * A value, or a promise of one. What is read from SQLite is there at once, what is read from PostgreSQL has to be awaited. A
 * read that is asked often goes through `andThen` and `attempt` in place of `await`, so that on SQLite it is over without a
 * promise: those of one request cost more than its queries.
 */
export type Awaitable<T> = T | Promise<T>;

/**
 * `next` of the value: at once if it is there, and otherwise when it is. It is not called `then`, since a module that exports
 * that name is a promise to `import()`.
 */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `try { return await work() } catch (thrown) { return failed(thrown) }` */
export function attempt<T>(work: () => Awaitable<T>, failed: (thrown: unknown) => T): Awaitable<T> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(failed) : done;
  } catch (thrown) {
    return failed(thrown);
  }
}
