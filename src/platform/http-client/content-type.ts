import { MIMEType } from "node:util";

export interface ContentType {
  /** `text/html` */
  readonly essence: string;
  /** As written; null where none is named. */
  readonly charset: string | null;
}

/**
 * The type of a body, by the rule of the Fetch standard for headers that stand several times or list several types
 * ("extract a MIME type", https://fetch.spec.whatwg.org/#concept-header-extract-mime-type): the last valid one counts.
 * Null if none is valid.
 * @param lines the header Content-Type, one for each line that has it
 */
export function contentTypeOf(lines: readonly string[]): ContentType | null {
  let type = null as ContentType | null;
  // The charset of the first of several types that are alike, for those that name none.
  let charset: string | null = null;
  for (const value of valuesOf(lines.join(","))) {
    const found = parse(value);
    if (found === null || found.essence === "*/*") continue;
    if (found.essence !== type?.essence) charset = found.charset;
    type = { essence: found.essence, charset: found.charset ?? charset };
  }
  return type;
}

/** The values of a list, split at the commas outside of quotes. */
function valuesOf(list: string): readonly string[] {
  return list.match(/(?:"(?:\\.|[^"\\])*(?:"|$)|[^",])+/gs) ?? [];
}

function parse(value: string): ContentType | null {
  try {
    const { essence, params } = new MIMEType(value);
    return { essence, charset: params.get("charset") };
  } catch {
    return null;
  }
}
