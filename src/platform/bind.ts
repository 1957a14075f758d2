/** Functions whose first argument is the same, given it once: `bindFirst(db, { linkOf }).linkOf(secret)`. */
export function bindFirst<First, F extends Record<string, (first: First, ...rest: never[]) => unknown>>(
  first: First,
  functions: F,
): {
  readonly [Name in keyof F]: F[Name] extends (first: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
} {
  const bound = Object.entries(functions).map(([name, act]) => [name, (...rest: never[]) => act(first, ...rest)]);
  return Object.fromEntries(bound);
}

/** As `bindFirst`, of functions that take another argument before it, such as a transaction. */
export function bindSecond<
  Second,
  F extends Record<string, (first: never, second: Second, ...rest: never[]) => unknown>,
>(
  second: Second,
  functions: F,
): {
  readonly [Name in keyof F]: F[Name] extends (first: infer First, second: never, ...rest: infer Rest) => infer Result
    ? (first: First, ...rest: Rest) => Result
    : never;
} {
  const bound = Object.entries(functions).map(([name, act]) => [
    name,
    (first: never, ...rest: never[]) => act(first, second, ...rest),
  ]);
  return Object.fromEntries(bound);
}
