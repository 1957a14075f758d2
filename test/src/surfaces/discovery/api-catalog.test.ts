import { expect, test } from "vitest";
import { API_CATALOG_LINK, apiCatalog } from "../../../../src/surfaces/discovery/api-catalog.ts";

const siteUrl = "https://beckon.example";
const { linkset } = apiCatalog({ siteUrl });

/** What RFC 9264 section 4.2 asks of a linkset in JSON. */
test("is a linkset: contexts with an anchor, and targets under each relation", () => {
  expect(Object.keys(apiCatalog({ siteUrl }))).toEqual(["linkset"]);
  for (const { anchor, ...relations } of linkset) {
    expect(new URL(anchor).origin).toBe(siteUrl);
    expect(Object.keys(relations).length).toBeGreaterThan(0);
    for (const [relation, targets] of Object.entries(relations)) {
      expect(relation).toMatch(/^(item|service-desc|service-doc|service-meta|status)$/);
      for (const target of targets as { href: string }[]) {
        expect(new URL(target.href).origin).toBe(siteUrl);
        expect(Object.values(target).every((value) => typeof value === "string" && value !== "")).toBe(true);
      }
    }
  }
});

test("lists every API with a description, documentation and status", () => {
  const items = linkset[0]!.item as { href: string }[];
  const anchors = linkset.slice(1).map(({ anchor }) => anchor);
  expect(items.map(({ href }) => href)).toEqual(anchors);
  expect(anchors).toEqual(["api/v1", "mcp", "a2a"].map((path) => `${siteUrl}/${path}`));
  for (const context of linkset.slice(1))
    for (const relation of ["service-desc", "service-doc", "service-meta", "status"])
      expect(context, relation).toHaveProperty(relation);
});

test("links to itself as the catalog (RFC 9727 section 2)", () => {
  expect(API_CATALOG_LINK).toMatch(/^<\/\.well-known\/api-catalog>; rel="api-catalog"/);
});
