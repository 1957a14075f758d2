import { z } from "zod";
import type { AnyOperation } from "./operation.ts";

/**
 * Fields that say what a call acts on, and without which it acts on everything. Null is refused in them, since it may be a
 * selection that a program never made. A field is added by `.register(selections)`, as the last step of its schema.
 */
export const selections = z.registry();

/**
 * The input without each null that counts as absent: in an optional field, or as the whole input. A null that is a value of its own
 * stays, and so does one that has to be refused.
 */
export function withoutNulls({ input: { shape } }: AnyOperation, input: unknown): unknown {
  if (input === null) return Object.values<z.ZodType>(shape).some((field) => selections.has(field)) ? null : {};
  if (typeof input !== "object" || Array.isArray(input)) return input;
  if (!Object.values(input).includes(null)) return input;
  const isKept = ([name, value]: [string, unknown]) =>
    value !== null || !Object.hasOwn(shape, name) || !isAbsentIfNull(shape[name]);
  return Object.fromEntries(Object.entries(input).filter(isKept));
}

function isAbsentIfNull(field: z.ZodType): boolean {
  const takes = (value: unknown) => field.safeParse(value).success;
  return takes(undefined) && !takes(null) && !selections.has(field);
}

/**
 * Removes members that are null from a message, at any depth. The protocol has no null of its own, and clients write it for what they
 * leave out. Lists keep their elements.
 * @param opaque the member whose value stays as it is: the input of an operation, which `withoutNulls` handles
 */
export function dropNulls(message: object, opaque?: string): void {
  const open: object[] = [message];
  for (let one = open.pop(); one; one = open.pop()) {
    const isList = Array.isArray(one);
    for (const [name, value] of Object.entries(one)) {
      if (value === null && !isList) Reflect.deleteProperty(one, name);
      else if (typeof value === "object" && value !== null && name !== opaque) open.push(value);
    }
  }
}
