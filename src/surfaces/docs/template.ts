/** What a text is filled with, by the names of its placeholders. */
export type Values = Readonly<Record<string, string | boolean>>;

/**
 * Fills the placeholders of a text, which are a small part of Mustache: `{{name}}` becomes a text; what is between `{{#name}}` and
 * `{{/name}}` stays if the value is true or a text, and what is between `{{^name}}` and `{{/name}}` if it is false or empty.
 * @param values must all be used
 * @param shared may be used
 * @throws Error that names a placeholder without a value, or a value without a placeholder
 */
export function fill(text: string, values: Values, shared: Values = {}): string {
  const named = placeholdersOf(text);
  const all: Values = { ...shared, ...values };
  const unknown = [...named].filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) throw new Error(`There is no value for ${unknown.join(", ")}.`);
  const unused = Object.keys(values).filter((name) => !named.has(name));
  if (unused.length > 0) throw new Error(`There is no placeholder for ${unused.join(", ")}.`);
  return withTexts(withSections(text.replace(LONE_TAG, "$1"), all).replace(/\n{3,}/g, "\n\n"), all);
}

/** The names that a text has in placeholders of any kind. */
export function placeholdersOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].map(([, , name]) => name!));
}

const PLACEHOLDER = /\{\{([#^/]?)(\w+)\}\}/g;

/** The beginning or end of a section on a line of its own, which leaves no line behind. */
const LONE_TAG = /^(\{\{[#^/]\w+\}\})\n/gm;

const SECTION = /\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g;

function withSections(text: string, values: Values): string {
  return text.replace(SECTION, (_, sign: string, name: string, inside: string) => {
    const isThere = Boolean(values[name]);
    return isThere === (sign === "#") ? withSections(inside, values) : "";
  });
}

function withTexts(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (tag, sign: string, name: string) => {
    const value = values[name];
    if (sign !== "") throw new Error(`${tag} begins or ends nothing.`);
    if (typeof value !== "string") throw new Error(`${tag} is no text.`);
    return value;
  });
}
