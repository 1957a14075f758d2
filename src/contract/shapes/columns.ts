import { z } from "zod";

/**
 * The columns of a CSV whose records have this shape: every field that holds one value or a list of values, in the order of the
 * shape. A field of a nested object has a name such as `engines.google.status`. Left out are `object`, which is the same in every
 * record, and whatever has a table of its own.
 */
export function columnsOf(shape: z.ZodType): string[] {
  const inner = unwrapped(shape);
  if (!(inner instanceof z.ZodObject)) throw new Error("a record is an object");
  return Object.entries(inner.shape).flatMap(([name, field]) => {
    const value = unwrapped(field as z.ZodType);
    if (value instanceof z.ZodObject) return columnsOf(value).map((column) => `${name}.${column}`);
    return isColumn(value) ? [name] : [];
  });
}

function isColumn(value: z.ZodType): boolean {
  if (value instanceof z.ZodArray) return !(unwrapped(value.element as z.ZodType) instanceof z.ZodObject);
  return !(value instanceof z.ZodLiteral || value instanceof z.ZodRecord);
}

function unwrapped(shape: z.ZodType): z.ZodType {
  return shape instanceof z.ZodNullable || shape instanceof z.ZodOptional
    ? unwrapped(shape.unwrap() as z.ZodType)
    : shape;
}
