import { type Awaitable, andThen } from "../platform/awaitable.ts";
import type { Config } from "../platform/config/config.ts";
import type { AnyOperation } from "./operation.ts";

/** By the configuration that they depend on, and the name of the operation. */
const answers = new WeakMap<Config, Map<string, string>>();

/** The answer of an operation whose answer never changes (`isConstant`), which is made at the first call. */
export function madeOnce(config: Config, { name }: AnyOperation, make: () => Awaitable<string>): Awaitable<string> {
  const known = answers.get(config)?.get(name);
  if (known !== undefined) return known;
  return andThen(make(), (text) => {
    answers.set(config, (answers.get(config) ?? new Map()).set(name, text));
    return text;
  });
}
