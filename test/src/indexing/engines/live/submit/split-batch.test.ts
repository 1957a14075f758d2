import fc from "fast-check";
import { expect, test } from "vitest";
import { type PartOutcome, sendInParts } from "../../../../../../src/indexing/engines/live/submit/split-batch.ts";
import { UpstreamFailure } from "../../../../../../src/indexing/providers/failure.ts";
import { failureIn } from "../../../../../support/indexing/channel-call.ts";

const ACCEPTED: PartOutcome = { kind: "accepted" };
const urls = (count: number) => Array.from({ length: count }, (_, i) => `https://example.com/${i}`);

test("law: exactly the invalid URLs are rejected, and each URL is in at most one part that is accepted", async () => {
  const some = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 70 }), some, async (n, size, bad) => {
      const all = urls(n);
      const invalid = new Set(bad.map((index) => all[index]));
      const sent: string[] = [];
      const parts: number[] = [];
      const taken = await sendInParts(all, Math.max(size, 15), async (part, no) => {
        parts.push(no);
        expect(part.length).toBeLessThanOrEqual(Math.max(size, 15));
        if (part.some((url) => invalid.has(url))) return "invalid";
        sent.push(...part);
        return ACCEPTED;
      });
      expect(taken).toHaveLength(n);
      const kinds = all.map((url) => (invalid.has(url) ? "rejected" : "accepted"));
      expect(taken.map(({ kind }) => kind)).toEqual(kinds);
      expect(sent).toEqual(all.filter((url) => !invalid.has(url)));
      expect(parts).toEqual(parts.map((_, index) => index));
    }),
    { numRuns: 300 },
  );
});

test("a list of invalid URLs only: after forty requests the rest is deferred", async () => {
  let requests = 0;
  const taken = await sendInParts(urls(500), 500, async () => {
    requests += 1;
    return "invalid";
  });
  expect(requests).toBe(40);
  expect(taken).toHaveLength(500);
  const rejected = taken.findIndex(({ kind }) => kind !== "rejected");
  expect(rejected).toBeGreaterThan(10);
  expect(new Set(taken.slice(rejected).map(({ detail }) => detail))).toEqual(new Set(["too_many_invalid"]));
});

test("a failure after an accepted part: the rest is deferred until the failure is over", async () => {
  const taken = await sendInParts(urls(6), 2, async (_, no) => {
    if (no === 1) throw new UpstreamFailure("x", "rate_limited", { until: 7 });
    return ACCEPTED;
  });
  const later = { kind: "deferred", detail: "rate_limited", until: 7 };
  expect(taken).toEqual([ACCEPTED, ACCEPTED, later, later, later, later]);
});

test.each([
  ["before anything was taken", 0, "rate_limited", false],
  ["that may have arrived", 1, "timeout", true],
] as const)("a failure %s is the failure of the call", async (_, failsAt, kind, mayHaveArrived) => {
  const sending = sendInParts(urls(4), 2, async (_, no) => {
    if (no === failsAt) throw new UpstreamFailure("x", kind);
    return ACCEPTED;
  });
  expect(await failureIn(sending)).toMatchObject({ kind, mayHaveArrived });
});
