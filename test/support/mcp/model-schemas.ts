/** Schemas of functions' parameters, as they are sent to the APIs of models. */

type Schema = Readonly<Record<string, unknown>>;

/** The keywords of OpenAI's structured outputs; `default` is accepted there, too. */
const OF_OPENAI = new Set([
  ...["type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "description"],
  ...["pattern", "format", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "default"],
]);

/** What OpenAI's strict mode refuses in a schema: open objects, fields that are not required, unknown keywords. */
export function openAiProblems(schema: unknown): string[] {
  return everySchemaIn(schema).flatMap(([path, { properties, required = [], additionalProperties, ...one }]) => {
    const unknown = Object.keys(one).filter((keyword) => !OF_OPENAI.has(keyword));
    const optional = Object.keys(properties ?? {}).filter((name) => !(required as string[]).includes(name));
    const isTyped = ["type", "anyOf", "enum", "const"].some((keyword) => keyword in one);
    return [
      ...unknown.map((keyword) => `${path} has ${keyword}`),
      ...optional.map((name) => `${path}.${name} is not required`),
      ...([one.type].flat().includes("object") && additionalProperties !== false ? [`${path} is open`] : []),
      ...(isTyped ? [] : [`${path} has no type`]),
      ...([one.type].flat().includes("array") && !one.items ? [`${path} has no items`] : []),
    ];
  });
}

/** The fields of `Schema` in Gemini's API, and `additionalProperties`, which its clients leave out where it is not known. */
const OF_GEMINI = new Set([
  ...[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
  ],
  ...["minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "default"],
  ...["minimum", "maximum", "additionalProperties"],
]);

/** What Gemini refuses in a schema: several types in a field, enums of anything but texts, arrays without items, odd formats. */
export function geminiProblems(schema: unknown): string[] {
  return everySchemaIn(schema).flatMap(([path, one]) => [
    ...Object.keys(one).flatMap((keyword) => (OF_GEMINI.has(keyword) ? [] : [`${path} has ${keyword}`])),
    ...(typeof one.type === "string" ? [] : [`${path} has not one type`]),
    ...(one.type === "array" && !one.items ? [`${path} has no items`] : []),
    ...(one.enum && !(one.type === "string" && isTexts(one.enum))
      ? [`${path} has an enum of other things than texts`]
      : []),
    ...(one.format === undefined || one.format === "date-time" ? [] : [`${path} has the format ${one.format}`]),
  ]);
}

function isTexts(values: unknown): boolean {
  return (values as unknown[]).every((value) => typeof value === "string");
}

/** A schema and all schemas in it, by path. */
function everySchemaIn(schema: unknown, path = "the input"): [path: string, schema: Schema][] {
  const { properties, items, anyOf } = schema as Schema;
  return [
    [path, schema as Schema],
    ...Object.entries(properties ?? {}).flatMap(([name, field]) => everySchemaIn(field, `${path}.${name}`)),
    ...(items ? everySchemaIn(items, `${path}[]`) : []),
    ...((anyOf ?? []) as Schema[]).flatMap((one) => everySchemaIn(one, path)),
  ];
}
