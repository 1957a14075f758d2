import type { JsonSchema } from "../../../contract/json-schema.ts";
import { EVENT_TYPES, PUBLIC_TYPES, type SubscribedType } from "../../../domain/events/types.ts";
import { narrowingFieldsOf } from "../../../domain/subscriptions/narrowing.ts";

const NARROWING_WORDS = {
  project_id: "Only events of this project: prj_…",
  site_id: "Only events of this site: site_…",
  watch_id: "Only events of this watch: wat_…",
} as const;

/** A type of events, as `events/list` describes it. */
export interface EventDescriptor {
  readonly name: SubscribedType;
  readonly description: string;
  readonly delivery: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly payloadSchema: JsonSchema;
}

function descriptorOf(name: SubscribedType): EventDescriptor {
  const { about, next, example, fields } = EVENT_TYPES[name];
  const narrowing = narrowingFieldsOf(name).map((field) => [
    field,
    { type: "string", description: NARROWING_WORDS[field] },
  ]);
  return {
    name,
    description: `${about} What to do: ${next}`.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"),
    delivery: ["webhook", "poll", "push"],
    inputSchema: { type: "object", properties: Object.fromEntries(narrowing), additionalProperties: false },
    payloadSchema: objectLike(example, fields),
  };
}

/** The schema of an event's data, open as events are: fields may be added. */
function objectLike(example: object, unshown: Readonly<Record<string, string>>): JsonSchema {
  const properties = Object.entries(example).map(([name, value]) => {
    if (unshown[name] === "map") return [name, { type: "object", additionalProperties: { type: typeOfFirst(value) } }];
    const schema = schemaLike(value);
    return [name, unshown[name] === "nullable" ? { ...schema, type: [nonNull(schema), "null"] } : schema];
  });
  return { type: "object", properties: Object.fromEntries(properties), required: Object.keys(example) };
}

function schemaLike(value: unknown): JsonSchema {
  if (Array.isArray(value)) return { type: "array", items: { type: "string" } };
  if (typeof value === "object" && value !== null) return objectLike(value, {});
  return { type: typeof value };
}

/** The type of a field that may be null; text, where the example has null. */
function nonNull({ type }: JsonSchema): unknown {
  return type === "object" ? "string" : type;
}

function typeOfFirst(map: object): string {
  return typeof Object.values(map)[0];
}

/** The types that a key, app or agent can be told of. They are the same for everybody. */
export const EVENT_LIST: readonly EventDescriptor[] = PUBLIC_TYPES.map(descriptorOf);
