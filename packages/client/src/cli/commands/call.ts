import { objectIn } from "../../error.ts";
import { FIELDS } from "../../generated/fields.ts";
import { OPERATIONS } from "../../generated/operations.ts";
import { type Command, type Context, UsageError } from "../command.ts";
import { linesOf } from "../mcp/lines.ts";
import { nearestName } from "../nearest.ts";
import { callOnce } from "../once.ts";
import type { Field } from "../operation-fields.ts";
import { escapedJson } from "../safe-terminal.ts";
import { list } from "../table.ts";

type Name = keyof typeof OPERATIONS;
type Input = Record<string, unknown>;

export const call: Command = {
  name: "call",
  operands: "[OPERATION [FIELD=VALUE…]]",
  about: "Call any operation of the service; without an operation, list all",
  detail:
    "The values of a list are separated by commas, or given as JSON. With - as the only field, the whole input is read as JSON from standard input. The answer is JSON.",
  options: {},
  async run([name, ...pairs], _, context) {
    if (name === undefined) return listed();
    const operation = (Object.keys(OPERATIONS) as Name[]).find((key) => [key, OPERATIONS[key].name].includes(name));
    if (operation === undefined) throw unknownOperation(name);
    const input = pairs.join() === "-" ? await inputTyped(context) : inputIn(operation, pairs);
    const method = context.client[operation] as (input: Input, options: object) => Promise<object>;
    const { signal } = context;
    const answer = OPERATIONS[operation].takesKey
      ? await callOnce(context, [operation, input], (idempotencyKey) => method(input, { idempotencyKey, signal }))
      : await method(input, { signal });
    return { data: answer, text: escapedJson(JSON.stringify(answer, null, 2)) };
  },
};

function unknownOperation(name: string): UsageError {
  const names = Object.values(OPERATIONS).map((operation) => operation.name);
  const near = nearestName(name, names);
  const offer = near === null ? "" : ` Did you mean "${near}"?`;
  return new UsageError(`There is no operation "${name}".${offer} Run "beckon call" for the list.`);
}

function listed() {
  const rows = Object.entries(FIELDS).map(([key, { title, fields }]) => {
    const usage = Object.entries(fields).map(([field, { isRequired }]) => (isRequired ? `${field}=…` : `[${field}=…]`));
    return { operation: OPERATIONS[key as Name].name, title, fields: usage };
  });
  const text = list(Object.fromEntries(rows.map(({ operation, title }) => [operation, title])));
  return { data: { operations: rows }, text };
}

/** @throws UsageError */
function inputIn(operation: Name, pairs: readonly string[]): Input {
  const { fields } = FIELDS[operation];
  const input = Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      const field = fields[name];
      if (field && rest.length > 0) return [name, valueIn(name, rest.join("="), field)];
      throw new UsageError(
        `"${pair}": give FIELD=VALUE, with one of ${Object.keys(fields).join(", ") || "no fields"}.`,
      );
    }),
  );
  const missing = Object.keys(fields).find((name) => fields[name]!.isRequired && input[name] === undefined);
  if (missing === undefined) return input;
  throw new UsageError(`${missing}=… is missing: ${fields[missing]!.about || "it is required"}.`);
}

/** @throws UsageError */
function valueIn(name: string, text: string, { type, values }: Field): unknown {
  if (values && !values.includes(text)) throw new UsageError(`${name}: one of ${values.join(", ")}.`);
  if (type === "text") return text;
  if (type === "list" && !text.startsWith("[")) return text.split(",");
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${name}: "${text}" is not ${type === "json" || type === "list" ? "JSON" : `a ${type}`}.`);
  }
}

async function inputTyped({ input }: Context): Promise<Input> {
  const lines: string[] = [];
  for await (const line of linesOf(input)) lines.push(line);
  const value = objectIn(lines.join("\n"));
  if (value) return value;
  throw new UsageError("Standard input is not a JSON object.");
}
