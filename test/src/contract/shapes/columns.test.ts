import { expect, test } from "vitest";
import { z } from "zod";
import { SECTIONS } from "../../../../src/contract/exports/sections.ts";
import { columnsOf } from "../../../../src/contract/shapes/columns.ts";
import { Link } from "../../../../src/contract/shapes/link.ts";

test("the columns are the fields of the shape: objects within it field by field, without tables and what all records say alike", () => {
  const shape = z.object({
    object: z.literal("thing"),
    id: z.string(),
    words: z.array(z.string()),
    last: z.object({ at: z.string().nullable() }).nullable(),
    checks: z.array(z.object({ at: z.string() })),
    data: z.record(z.string(), z.unknown()),
  });
  expect(columnsOf(shape)).toEqual(["id", "words", "last.at"]);
});

test("a new field of a link is a column of the export", () => {
  expect(SECTIONS.links.columns).toEqual(columnsOf(Link));
  expect(columnsOf(Link.extend({ seen_at: z.string().nullable() }))).toEqual([...SECTIONS.links.columns, "seen_at"]);
});
