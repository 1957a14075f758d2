/**
 * Whether structured data is what the Google Indexing API is for: a JobPosting, or a BroadcastEvent that is the
 * publication of a VideoObject (developers.google.com/search/apis/indexing-api/v3/quickstart). Anything else counts
 * as not eligible: submitting it is what Google calls abuse.
 */
export function isPosting(json: string): boolean {
  let root: unknown;
  try {
    root = JSON.parse(json);
  } catch {
    return false;
  }
  const open = [root];
  for (let seen = 0; open.length > 0 && seen < MOST_NODES; seen += 1) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    if (Array.isArray(node)) {
      open.push(...node.slice(0, MOST_NODES));
      continue;
    }
    const thing = node as Thing;
    if (isA(thing, "JobPosting")) return true;
    if (isA(thing, "VideoObject") && listOf(thing.publication).some((event) => isA(event, "BroadcastEvent")))
      return true;
    // What the page itself is about. A posting deeper down, in a list or as a recommendation, is of another page.
    open.push(thing["@graph"], thing.mainEntity);
  }
  return false;
}

type Thing = Readonly<Record<string, unknown>>;

const MOST_NODES = 10_000;

function isA(thing: unknown, type: string): boolean {
  if (typeof thing !== "object" || thing === null) return false;
  return listOf((thing as Thing)["@type"]).some((name) => typeof name === "string" && isType(name, type));
}

/** `JobPosting`, `schema:JobPosting`, `https://schema.org/JobPosting` */
function isType(name: string, type: string): boolean {
  return name === type || name === `schema:${type}` || /^https?:\/\/schema\.org\/(.*)$/.exec(name)?.[1] === type;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

type Attributes = Readonly<Record<string, string>>;

/** The same for microdata: is told the elements in order, and says when one makes the page a posting. */
export class Microdata {
  #isVideo = false;

  /**
   * The nesting is not followed: a publication that stands behind the beginning of a VideoObject is taken for its
   * own.
   */
  isPosting({ itemtype, itemprop }: Attributes): boolean {
    if (itemtype === undefined) return false;
    const types = itemtype.split(/\s+/);
    const isOf = (type: string) => types.some((name) => isType(name, type));
    if (isOf("VideoObject")) this.#isVideo = true;
    const isPublication = itemprop?.split(/\s+/).includes("publication") === true;
    return isOf("JobPosting") || (this.#isVideo && isPublication && isOf("BroadcastEvent"));
  }
}
