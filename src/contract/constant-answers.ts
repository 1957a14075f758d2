import type { Config } from "../platform/config/config.ts";
import type { AnyOperation } from "./operation.ts";

/** By the configuration that they depend on, and the name of the operation. */
const answers = new WeakMap<Config, Map<string, string>>();

/** The answer of an operation whose answer never changes (`isConstant`), which is made at the first call. */
export async function madeOnce(config: Config, { name }: AnyOperation, make: () => Promise<string>): Promise<string> {
  const known = answers.get(config)?.get(name);
  if (known !== undefined) return known;
  const text = await make();
  answers.set(config, (answers.get(config) ?? new Map()).set(name, text));
  return text;
}
