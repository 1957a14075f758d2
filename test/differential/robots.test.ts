import fc from "fast-check";
import robotsParser from "robots-parser";
import { expect, test } from "vitest";
import { robotsRules } from "../../src/indexing/preflight/robots-rules.ts";
import { fuzzRuns } from "../support/checks/fuzz-runs.ts";

/**
 * src/indexing/preflight/robots-rules.ts stands in for robots-parser: on a valid robots.txt both have to give Googlebot the
 * same answer. Ours can go when robots-parser bounds the work of a hostile file, and reads what is excepted below as
 * RFC 9309 and Google's parser do:
 * - a line that is no rule ends a list of user agents there, so that groups here have rules only;
 * - `Allow: /x/index.html` does not allow `/x/` there, so that no path here ends in an index page;
 * - an escape of an unreserved character (`%7E`) is not its character there, so that paths here are plain.
 */

/** The package exports a CommonJS function and declares an ES default. */
const parse = robotsParser as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, agent: string): boolean | undefined };

const ORIGIN = "https://example.com";

const segment = fc.stringMatching(/^[a-z]{1,3}$/);
const address = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join("/")}`);
const pattern = fc
  .tuple(fc.array(fc.oneof(segment, fc.constant("*")), { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/", "$"))
  .map(([parts, end]) => `/${parts.join("/")}${end}`);
const rule = fc.tuple(fc.constantFrom("Allow", "Disallow"), pattern).map(([verb, path]) => `${verb}: ${path}`);
const group = fc
  .tuple(fc.constantFrom("*", "Googlebot", "googlebot", "otherbot"), fc.array(rule, { minLength: 1, maxLength: 5 }))
  .map(([agent, rules]) => [`User-agent: ${agent}`, ...rules].join("\n"));
const file = fc.uniqueArray(group, {
  minLength: 1,
  maxLength: 3,
  selector: (text) => text.split("\n", 1)[0]!.toLowerCase(),
});

test("law: a valid robots.txt allows Googlebot the same as by robots-parser", () => {
  fc.assert(
    fc.property(file, fc.array(address, { minLength: 1, maxLength: 5 }), (groups, paths) => {
      const text = groups.join("\n\n");
      const [ours, theirs] = [robotsRules(text), parse(`${ORIGIN}/robots.txt`, text)];
      for (const path of paths) {
        expect([path, ours.allows(path)]).toEqual([path, theirs.isAllowed(ORIGIN + path, "Googlebot") ?? true]);
      }
    }),
    { numRuns: fuzzRuns(400), seed: 1 },
  );
});
