import { z } from "zod";

/**
 * The columns of a CSV whose records have this shape: every field of one value or a list of them, in its order. Those of an
 * object in it follow as `engines.google.status`. What every record says alike (`object`) is left out, and what is a table of its own.
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
