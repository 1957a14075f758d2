import { EVENT_TYPES, type SubscribedType } from "../events/types.ts";

/** The fields of events' data by which a subscription can be narrowed. */
export const NARROWING_FIELDS = ["project_id", "site_id", "watch_id"] as const;

type NarrowingField = (typeof NARROWING_FIELDS)[number];

/** What the data of an event has to say for a subscription to be told of it. */
export type Narrowing = { readonly [Name in NarrowingField]?: string | undefined };

/** The fields that events of a type can be narrowed by. */
export function narrowingFieldsOf(type: SubscribedType): NarrowingField[] {
  return NARROWING_FIELDS.filter((name) => Object.hasOwn(EVENT_TYPES[type].example, name));
}

/** The data of an event, which is parsed once, and only if somebody asks. */
export function fieldsOf(data: string): () => Readonly<Record<string, unknown>> {
  let fields: Readonly<Record<string, unknown>> | undefined;
  return () => {
    fields ??= JSON.parse(data) as Readonly<Record<string, unknown>>;
    return fields;
  };
}

export function isWithin(narrowing: Narrowing, fields: ReturnType<typeof fieldsOf>): boolean {
  return Object.entries(narrowing).every(([name, value]) => fields()[name] === value);
}

/** The same text for the same narrowing, whatever the order of its fields. */
export function narrowingText(narrowing: Narrowing): string {
  return JSON.stringify(narrowing, [...NARROWING_FIELDS]);
}

/** The narrowing of a row. */
export function narrowingOf({ arguments: text }: { readonly arguments: string }): Narrowing {
  return JSON.parse(text);
}
