import { expect, test } from "vitest";
import { type Access, AGENTS, accessIn } from "../../../../src/domain/projects/access.ts";
import type { LinkFact } from "../../../../src/domain/projects/facts.ts";

const look = (shared: LinkFact["shared"], source: LinkFact["source"] = "preflight"): LinkFact => ({
  ...{ source, shared, at: 0, time: null, own: null },
});
const everybody = <T>(said: T) => Object.fromEntries(AGENTS.map((agent) => [agent, said]));

test("an agent that a look does not name is let in, one that it names is kept out by that", () => {
  const access: Access = { Googlebot: "robots", bingbot: "noindex", Applebot: "content_signal" };
  expect(accessIn([look({ access })])).toEqual({
    ...everybody({ allowed: true, by: null }),
    Googlebot: { allowed: false, by: "robots" },
    bingbot: { allowed: false, by: "noindex" },
    Applebot: { allowed: false, by: "content_signal" },
  });
});

test("law: what is not known is never said as allowed or refused", () => {
  const unknown = { allowed: null, by: null };
  expect(accessIn([])).toEqual(everybody(unknown));
  expect(accessIn([look({})])).toEqual(everybody(unknown));
  expect(accessIn([look({ access: { bingbot: "unknown" } })])).toEqual({
    ...everybody({ allowed: true, by: null }),
    bingbot: unknown,
  });
});

test("the newest look at the page decides, and no look of an engine does", () => {
  const closed = look({ access: { Googlebot: "robots" } });
  const engines = look({ access: { Googlebot: "noindex" } }, "url_inspection");
  expect(accessIn([closed, look({ access: {} }), engines])).toEqual(everybody({ allowed: true, by: null }));
});
