/**
 * Whether JSON-LD describes what the Google Indexing API is for: a JobPosting, or a VideoObject whose publication is
 * a BroadcastEvent (developers.google.com/search/apis/indexing-api/v3/quickstart). Google regards submitting other
 * pages as abuse.
 */
export function isPosting(json: string): boolean {
  let root: unknown;
  try {
    root = JSON.parse(json);
  } catch {
    return false;
  }
  const open = [root];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen += 1) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      open.push(...value.slice(0, MAX_NODES));
      continue;
    }
    const node = value as JsonLdNode;
    if (isA(node, "JobPosting")) return true;
    if (isA(node, "VideoObject") && listOf(node.publication).some((event) => isA(event, "BroadcastEvent"))) return true;
    // The page's own topics. A posting deeper down, in a list or a recommendation, belongs to another page.
    open.push(node["@graph"], node.mainEntity);
  }
  return false;
}

type JsonLdNode = Readonly<Record<string, unknown>>;

const MAX_NODES = 10_000;

function isA(node: unknown, type: string): boolean {
  if (typeof node !== "object" || node === null) return false;
  return listOf((node as JsonLdNode)["@type"]).some((name) => typeof name === "string" && isType(name, type));
}

/** `JobPosting`, `schema:JobPosting`, `https://schema.org/JobPosting` */
function isType(name: string, type: string): boolean {
  return name === type || name === `schema:${type}` || /^https?:\/\/schema\.org\/(.*)$/.exec(name)?.[1] === type;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

type Attributes = Readonly<Record<string, string>>;

/** The same for microdata. It is given the elements in order, and tells which one makes the page a posting. */
export class Microdata {
  #isVideo = false;

  /** Nesting is not tracked. A publication after the start of a VideoObject counts as part of it. */
  isPosting({ itemtype, itemprop }: Attributes): boolean {
    if (itemtype === undefined) return false;
    const types = itemtype.split(/\s+/);
    const isOf = (type: string) => types.some((name) => isType(name, type));
    if (isOf("VideoObject")) this.#isVideo = true;
    const isPublication = itemprop?.split(/\s+/).includes("publication") === true;
    return isOf("JobPosting") || (this.#isVideo && isPublication && isOf("BroadcastEvent"));
  }
}
