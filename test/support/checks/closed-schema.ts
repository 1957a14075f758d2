import { Ajv2020 } from "ajv/dist/2020.js";

/** One for all schemas: each instance would first compile the schema of schemas. */
const ajv = new Ajv2020({ strict: false, allErrors: true });

/**
 * Makes a validator that refuses members which the schema does not name, in every object: output may have no members that
 * are not documented.
 * @returns a function that returns one message for each violation
 */
export function closedValidator(schema: object): (value: unknown) => string[] {
  const validate = ajv.compile(closeObjects(schema) as object);
  return (value) => (validate(value) ? [] : validate.errors!.map((error) => `${error.instancePath} ${error.message}`));
}

function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, closeObjects(value)]));
  return "properties" in copy && !("additionalProperties" in copy) ? { ...copy, additionalProperties: false } : copy;
}
