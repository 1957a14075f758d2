/** A body as far as it is looked into. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Where bodies name the pages that were published: `url` and `urls` by whoever writes the body, the others by plugins of WordPress.
 * Nothing else is taken for a page: bodies hold addresses of pictures, authors and previews, too.
 */
const FIELDS = ["url", "urls", "permalink", "post_permalink"] as const;

/** The addresses of published pages in a body, as they stand there. */
export function namedAddresses(body: unknown): string[] {
  if (!isObject(body)) return [];
  // What Netlify tells of a deploy has the address of the whole site.
  if ("deploy_url" in body) return [];
  return [...FIELDS.map((name) => body[name]), ghostAddress(body.post), ghostAddress(body.page)]
    .flat()
    .filter((address) => typeof address === "string");
}

/** The address of a post or page of Ghost; a draft has one of a preview. */
function ghostAddress(resource: unknown): unknown {
  const current = isObject(resource) ? resource.current : null;
  return isObject(current) && current.status === "published" ? current.url : null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
