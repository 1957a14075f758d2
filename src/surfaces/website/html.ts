import { isValidElement, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/** Text that is HTML already. Anything else in a template of `html` is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | VNode | readonly (Html | VNode)[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, i) => text + rendered(parts[i - 1]!) + string));
}

/** Escapes text, and turns what is between backticks into code. */
export function prose(text: string): Html {
  return new Html(escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.text;
  if (isValidElement(part)) return renderToString(part);
  if (Array.isArray(part)) return part.map(rendered).join("");
  return escaped(String(part));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<"]/g, (character) => ENTITIES[character]!);
}
