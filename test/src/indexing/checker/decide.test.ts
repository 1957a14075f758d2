import { describe, expect, test } from "vitest";
import type { ProjectRow, StepRow } from "../../../../src/domain/projects/read.ts";
import type { LinkState } from "../../../../src/domain/projects/states.ts";
import { decideCheck, decideSend, isVerdict } from "../../../../src/indexing/checker/decide.ts";
import type { CheckOutcome, SendOutcome } from "../../../../src/indexing/engines/engine.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";

const SENT = Date.UTC(2026, 0, 5, 12);
const project = (more: Partial<ProjectRow> = {}) =>
  ({ mode: "standard", createdAt: SENT, dripDays: 0, total: 1, ...more }) as ProjectRow;
const step = (more: Partial<StepRow>) =>
  ({
    lane: "google",
    action: "check",
    stage: "none",
    negatives: 0,
    tries: 0,
    availableMs: 0,
    checkedAt: null,
    ...more,
  }) as StepRow;
const link = (state: LinkState) => ({
  id: 0,
  url: "https://example.com/",
  state,
  sentAt: state === "waiting" ? null : SENT,
  cancelledAt: null,
});

type Decided = ReturnType<typeof decideCheck>;

/** The decision about the one link: `state (error)`, and `check STAGE +HOURS` or `ACTION +HOURS` of what comes next, or `done`. */
function decisionOf(partition: Decided): string {
  const { moves, next } = partition.result([0]);
  // A move to the same state only tells of something.
  const move = moves
    .filter(({ from, to }) => from !== to)
    .map(({ to, patch }) => `${to}${patch?.error ? ` (${patch.error})` : ""}`)
    .join();
  const then = next.map(({ action, stage, dueAt, negatives, tries }) => {
    const what = action === "check" || stage !== "none" ? `${action} ${stage}` : action;
    return `${what} +${(dueAt - SENT) / HOUR}${negatives ? " second" : ""}${tries ? ` try ${tries}` : ""}`;
  });
  return [move || "stays", then.join() || "done"].join(", ");
}

const outcomeOf = (result: CheckOutcome["result"], more: Partial<CheckOutcome> = {}): CheckOutcome => ({
  result,
  available: true,
  provider: "p",
  method: "m",
  ...more,
});
const YES = outcomeOf("indexed");
const NO = outcomeOf("not_indexed");
const CERTAIN = outcomeOf("not_indexed", { authoritative: true });
const CRAWLED = outcomeOf("not_indexed", { authoritative: true, reason: "crawled_not_indexed" });
const UNKNOWN = outcomeOf("unknown");

/** `after` is ms after sending, `refusal` the reason for which the page itself refuses indexing. */
type Case = readonly [
  when: string,
  state: LinkState,
  step: Partial<StepRow>,
  outcome: CheckOutcome,
  after: number,
  decision: string,
  refusal?: string,
];

const second = { negatives: 1 };
const day4 = { stage: "day_4" } as const;
const day14 = { stage: "day_14" } as const;
const check = { stage: "check" } as const;

const before = { stage: "before_sending" } as const;

const CHECK_CASES: readonly Case[] = [
  ["before sending: there", "waiting", before, YES, 0, "failed (already_indexed), done"],
  ["before sending: not there", "waiting", before, NO, 0, "stays, send +0"],
  [
    "before sending: unknown",
    "waiting",
    { ...before, tries: 3 },
    UNKNOWN,
    HOUR,
    "stays, check before_sending +1.6666666666666667 try 4",
  ],
  ["before sending: unknown for 48 hours", "waiting", { ...before, tries: 9 }, UNKNOWN, 48 * HOUR, "stays, send +48"],
  ["early: there", "checking", { stage: "early" }, YES, 10 * MINUTE, "indexed, check day_4 +96"],
  ["early: not there", "checking", { stage: "early" }, NO, 15 * MINUTE, "stays, check early +0.4166666666666667"],
  ["early: not there at the last", "checking", { stage: "early" }, CERTAIN, 45 * MINUTE, "stays, check day_4 +96"],
  [
    "early: unknown at the last",
    "checking",
    { stage: "early" },
    UNKNOWN,
    45 * MINUTE,
    "stays, check early +0.8333333333333334",
  ],
  ["day 4: there", "checking", day4, YES, 4 * DAY, "indexed, check day_14 +336"],
  ["day 4: not there", "checking", day4, NO, 4 * DAY, "stays, check day_4 +96.5 second"],
  ["day 4: not there again", "checking", { ...day4, ...second }, NO, 4.5 * DAY, "stays, resend +108"],
  ["day 4: not there, for certain", "checking", day4, CERTAIN, 4 * DAY, "stays, resend +96"],
  [
    "day 4: there at the second check",
    "checking",
    { ...day4, ...second },
    YES,
    4.5 * DAY,
    "indexed, check day_14 +336",
  ],
  ["day 4: unknown", "checking", day4, UNKNOWN, 4 * DAY, "stays, check day_4 +97 try 1"],
  [
    "day 4: unknown at the second check",
    "checking",
    { ...day4, ...second, tries: 1 },
    UNKNOWN,
    4 * DAY,
    "stays, check day_4 +98 second try 2",
  ],
  ["day 4: unknown near day 13", "checking", { ...day4, tries: 11 }, UNKNOWN, 12.5 * DAY, "stays, check day_14 +336"],
  ["day 4: was there, is not", "indexed", day4, NO, 4 * DAY, "stays, check day_14 +336"],
  ["day 4: was there, unknown", "indexed", day4, UNKNOWN, 4 * DAY, "stays, check day_14 +336"],
  ["day 14: there", "checking", day14, YES, 14 * DAY, "indexed, done"],
  ["day 14: still there", "indexed", day14, YES, 14 * DAY, "stays, done"],
  ["day 14: not there", "checking", day14, NO, 14 * DAY, "stays, check day_14 +336.5 second"],
  ["day 14: not there again", "checking", { ...day14, ...second }, NO, 14 * DAY, "not_indexed (no_match), done"],
  ["day 14: not there, for certain", "checking", day14, CERTAIN, 14 * DAY, "not_indexed (no_match), done"],
  ["day 14: was there, is not", "indexed", day14, NO, 14 * DAY, "stays, check day_14 +336.5 second"],
  ["day 14: was there, is not again", "indexed", { ...day14, ...second }, NO, 14 * DAY, "not_indexed (dropped), done"],
  [
    "day 14: was there, its page now refuses",
    "indexed",
    { ...day14, ...second },
    NO,
    14 * DAY,
    "stays, done",
    "noindex",
  ],
  [
    "day 14: was never there, its page refuses",
    "checking",
    { ...day14, ...second },
    NO,
    14 * DAY,
    "not_indexed (no_match), done",
    "noindex",
  ],
  ["day 14: unknown confirms indexed", "indexed", day14, UNKNOWN, 14 * DAY, "stays, done"],
  [
    "day 14: unknown after one negative confirms nothing",
    "indexed",
    { ...day14, ...second },
    UNKNOWN,
    14 * DAY,
    "stays, check day_14 +337 second try 1",
  ],
  ["day 14: unknown", "checking", day14, UNKNOWN, 14 * DAY, "stays, check day_14 +337 try 1"],
  [
    "day 14: unknown for 48 available hours",
    "checking",
    { ...day14, tries: 9, availableMs: 47 * HOUR, checkedAt: SENT + 16 * DAY - HOUR },
    UNKNOWN,
    16 * DAY,
    "not_indexed (unverifiable), done",
  ],
  [
    "day 14: unknown for 7 days",
    "checking",
    { ...day14, tries: 30 },
    UNKNOWN,
    21 * DAY,
    "not_indexed (unverifiable), done",
  ],
  ["check: there", "waiting", check, YES, 0, "indexed, done"],
  ["check: not there", "waiting", check, NO, 0, "checking, check check +0.5 second"],
  ["check: not there again", "checking", { ...check, ...second }, NO, HOUR, "not_indexed (no_match), done"],
  ["check: not there, for certain", "waiting", check, CERTAIN, 0, "not_indexed (no_match), done"],
  ["check: crawled, not indexed", "waiting", check, CRAWLED, 0, "not_indexed (crawled_not_indexed), done"],
  [
    "day 14: was there, Google names a reason",
    "indexed",
    day14,
    CRAWLED,
    14 * DAY,
    "not_indexed (crawled_not_indexed), done",
  ],
  ["check: unknown", "waiting", { ...check, tries: 3 }, UNKNOWN, HOUR, "stays, check check +1.6666666666666667 try 4"],
  ["check: unknown for 48 hours", "waiting", check, UNKNOWN, 48 * HOUR, "failed (unverifiable), done"],
  [
    "check: unknown for 48 hours after one negative",
    "checking",
    { ...check, ...second },
    UNKNOWN,
    48 * HOUR,
    "failed (unverifiable), done",
  ],
];

describe("checks (docs/rules.md rule 5, docs/rules.md rule 6, docs/rules.md rule 7)", () => {
  test.for(CHECK_CASES)("%s", ([, state, row, outcome, after, decision, refusal]) => {
    const seen = [{ position: 0, link: link(state), outcome, ...(refusal ? { refusal } : {}) }];
    const decided = decideCheck(project(), step(row), seen, SENT + after);
    expect(decisionOf(decided)).toBe(decision);
    for (const { from, to, patch, dropped } of decided.result([0]).moves) {
      expect(from).toBe(state);
      if (to === from) expect([to, dropped]).toEqual(["indexed", refusal ?? "why it is told"]);
      else if (to === "indexed") expect(patch).toEqual({ indexedAt: SENT + after });
      else if (state === "indexed") expect([patch?.indexedAt, dropped]).toEqual([null, patch?.error]);
    }
  });

  test("an instant link that nobody can look up is sent at once, and is checked no more before that", () => {
    const seen = [{ position: 0, link: link("waiting"), outcome: UNKNOWN }];
    expect(decisionOf(decideCheck(project({ mode: "instant" }), step(before), seen, SENT))).toBe("stays, send +0");
  });

  test("a page that Google has is a verdict at once, one that it has not only at the second time", () => {
    const verdicts = [YES, NO, CERTAIN, UNKNOWN].map((outcome) => {
      const seen = [{ position: 0, link: link("checking"), outcome }];
      return decideCheck(project(), step(day4), seen, SENT).result([0]).observations[0]!.isVerdict;
    });
    expect(verdicts).toEqual([true, undefined, true, undefined]);
  });

  test("what a lookup tells of a page is kept, and nothing where it tells nothing", () => {
    const facts = (more: Partial<CheckOutcome>) => {
      const seen = [{ position: 0, link: link("checking"), outcome: { ...YES, ...more } }];
      return decideCheck(project(), step(day4), seen, SENT).result([0]).facts;
    };
    expect(facts({})).toBeNull();
    expect(facts({ access: { google: "robots" } as never })!.all).toMatchObject([{ source: "preflight" }]);
    const crawled = facts({ crawl: { crawledAt: SENT + HOUR, shared: {}, own: null } })!;
    expect(crawled.all).toMatchObject([{ source: "url_inspection" }]);
    expect([...crawled.crawled.keys()]).toEqual(["url_inspection"]);
  });

  test("an observation keeps the evidence of the check, and the reason for which the page refuses indexing", () => {
    const counts = { queries: 2, results: 0, matches: 0 };
    const seen = [{ position: 0, link: link("indexed"), outcome: { ...NO, counts }, refusal: "http_410" }];
    const { observations } = decideCheck(project(), step({ ...day14, ...second }), seen, SENT).result([0]);
    expect(observations).toEqual([
      {
        positions: [0],
        result: "not_indexed",
        provider: "p",
        method: "m",
        reason: "http_410",
        counts,
        isVerdict: true,
      },
    ]);
  });

  test("only time in which a sound verifier was available counts towards settling", () => {
    const now = SENT + 15 * DAY;
    const row = step({ ...day14, tries: 3, availableMs: 5 * HOUR, checkedAt: now - 2 * HOUR });
    const availableMs = (available: boolean) => {
      const seen = [{ position: 0, link: link("checking"), outcome: { ...UNKNOWN, available } }];
      return decideCheck(project(), row, seen, now).result([0]).next[0]!.availableMs;
    };
    expect([availableMs(true), availableMs(false)]).toEqual([7 * HOUR, 5 * HOUR]);
  });

  test("a pause between two tries counts as 6 hours and a minute at most, and nothing before the first", () => {
    const now = SENT + 15 * DAY;
    const availableMs = (checkedAt: number | null) => {
      const row = step({ ...day14, availableMs: HOUR, checkedAt });
      const seen = [{ position: 0, link: link("checking"), outcome: UNKNOWN }];
      return decideCheck(project(), row, seen, now).result([0]).next[0]!.availableMs! - HOUR;
    };
    expect(availableMs(now - 6 * HOUR - MINUTE)).toBe(6 * HOUR + MINUTE);
    expect(availableMs(now - DAY)).toBe(6 * HOUR + MINUTE);
    expect(availableMs(null)).toBe(0);
  });

  test("a verdict needs two clean negatives, or one by the index itself", () => {
    const verdict = (negatives: number, outcome: CheckOutcome) => isVerdict(step({ negatives }), outcome);
    expect([verdict(0, NO), verdict(1, NO), verdict(0, CERTAIN)]).toEqual([false, true, true]);
    expect([verdict(1, UNKNOWN), verdict(1, YES)]).toEqual([false, false]);
  });
});

describe("held pages (docs/rules.md rule 27)", () => {
  const held = project({ kind: "check", experimentId: "exp_1", mode: null });
  const cases: readonly Case[] = [
    ["day 4: there", "waiting", day4, YES, 4 * DAY, "indexed, check day_14 +336"],
    ["day 4: not there", "waiting", day4, NO, 4 * DAY, "checking, check day_4 +96.5 second"],
    ["day 4: not there again: not sent", "checking", { ...day4, ...second }, NO, 4.5 * DAY, "stays, check day_14 +336"],
    ["day 4: not there, for certain", "waiting", day4, CERTAIN, 4 * DAY, "checking, check day_14 +336"],
    ["day 4: unknown", "waiting", day4, UNKNOWN, 4 * DAY, "stays, check day_4 +97 try 1"],
    ["day 14: there, after nothing but unknown", "waiting", day14, YES, 14 * DAY, "indexed, done"],
    ["day 14: not there, for certain", "waiting", day14, CERTAIN, 14 * DAY, "not_indexed (no_match), done"],
    ["day 14: not there, for the first time", "waiting", day14, NO, 14 * DAY, "checking, check day_14 +336.5 second"],
    ["day 14: was there, is not", "indexed", { ...day14, ...second }, NO, 14 * DAY, "not_indexed (dropped), done"],
    [
      "day 14: unknown for 7 days",
      "checking",
      { ...day14, tries: 30 },
      UNKNOWN,
      21 * DAY,
      "failed (unverifiable), done",
    ],
    ["day 14: unknown confirms indexed", "indexed", day14, UNKNOWN, 14 * DAY, "stays, done"],
  ];
  test.for(cases)("%s", ([, state, row, outcome, after, decision]) => {
    const seen = [{ position: 0, link: { ...link(state), sentAt: null }, outcome }];
    const decided = decideCheck(held, step(row), seen, SENT + after);
    expect(decisionOf(decided)).toBe(decision);
    for (const { from } of decided.result([0]).moves) expect(from).toBe(state);
  });
});

const sent = (kind: SendOutcome["kind"], more = {}) => ({ kind, provider: "p", detail: "d", ...more }) as SendOutcome;

describe("sending (docs/rules.md rule 3)", () => {
  test.each([
    ["accepted", "send", "google", sent("accepted"), "checking, check day_4 +96", "accepted"],
    ["uncertain: counts as sent", "send", "google", sent("uncertain"), "checking, check day_4 +96", "sent"],
    ["rejected", "send", "google", sent("rejected"), "failed (provider_rejected), done", "failed"],
    ["no provider can take it", "send", "google", sent("skipped"), "failed (no_provider), done", "skipped"],
    ["deferred, by the usual backoff", "send", "google", sent("deferred"), `stays, send +${1 / 60} try 1`, null],
    [
      "deferred, until the time that the provider names",
      "send",
      "google",
      sent("deferred", { until: SENT + HOUR }),
      "stays, send +1 try 1",
      null,
    ],
    ["Bing: accepted", "send", "bing", sent("accepted"), "stays, done", "accepted"],
    ["Bing: rejected changes nothing", "send", "bing", sent("rejected"), "stays, done", "failed"],
    ["Yandex: deferred", "send", "yandex", sent("deferred"), `stays, send +${1 / 60} try 1`, null],
    ["sent once more: accepted", "resend", "google", sent("accepted"), "stays, check day_14 +336", "accepted"],
    ["sent once more: rejected", "resend", "google", sent("rejected"), "stays, check day_14 +336", "failed"],
    ["sent once more: uncertain", "resend", "google", sent("uncertain"), "stays, check day_14 +336", "sent"],
    [
      "sent once more: deferred",
      "resend",
      "google",
      sent("deferred", { until: SENT + 5 * DAY }),
      "stays, resend +120 try 1",
      null,
    ],
    [
      "sent once more: deferred beyond day 14",
      "resend",
      "google",
      sent("deferred", { until: SENT + 14 * DAY }),
      "stays, check day_14 +336",
      null,
    ],
  ] as const)("%s", (_, action, lane, outcome, decision, delivery) => {
    const member = { position: 0, link: link(action === "send" ? "waiting" : "checking"), outcome };
    const partition = decideSend(project(), step({ action, lane }), [member], SENT);
    expect(decisionOf(partition)).toBe(decision);
    const { deliveries, moves } = partition.result([0]);
    expect(deliveries.map(({ status, detail }) => [status, detail])).toEqual(delivery ? [[delivery, "d"]] : []);
    for (const { from } of moves) expect(from).toBe("waiting");
  });

  test("each time that a link is deferred, it waits twice as long", () => {
    const member = { position: 0, link: link("waiting"), outcome: sent("deferred") };
    const partition = decideSend(project(), step({ action: "send", tries: 3 }), [member], SENT);
    expect(decisionOf(partition)).toBe(`stays, send +${8 / 60} try 4`);
  });

  test("a delivery without words has none", () => {
    const { detail: _, ...outcome } = sent("accepted");
    const member = { position: 0, link: link("waiting"), outcome: outcome as SendOutcome };
    const { deliveries } = decideSend(project(), step({ action: "send" }), [member], SENT).result([0]);
    expect(deliveries).toMatchObject([{ status: "accepted", detail: null }]);
  });

  test.each([
    ["Google: on its fourteenth day it goes on", "google", sent("deferred"), 14 * DAY, "stays, send +336.01"],
    ["Google: later it fails", "google", sent("deferred"), 14 * DAY + 1, "failed (no_provider), done"],
    ["Bing: later it ends", "bing", sent("deferred"), 14 * DAY + 1, "stays, done"],
    ["what is taken later is taken", "google", sent("accepted"), 20 * DAY, "checking, check day_4 +576"],
    ["what is refused later was refused", "google", sent("rejected"), 20 * DAY, "failed (provider_rejected), done"],
  ] as const)(
    "a link that every provider defers is given up after 14 days: %s",
    (_, lane, outcome, after, decision) => {
      const member = { position: 0, link: link("waiting"), outcome };
      const partition = decideSend(project(), step({ action: "send", lane }), [member], SENT + after);
      expect(decisionOf(partition).startsWith(decision)).toBe(true);
      const { deliveries, moves } = partition.result([0]);
      const isGivenUp = outcome.kind === "deferred" && after > 14 * DAY;
      if (isGivenUp) expect(deliveries).toMatchObject([{ status: "skipped", provider: "p", detail: "gave_up" }]);
      else expect(deliveries.map(({ detail }) => detail)).not.toContain("gave_up");
      for (const { from } of moves) expect(from).toBe("waiting");
    },
  );

  test("what is sent once more is never given up: the final check comes first", () => {
    const member = { position: 0, link: link("checking"), outcome: sent("deferred") };
    const partition = decideSend(project(), step({ action: "resend" }), [member], SENT + 20 * DAY);
    expect(decisionOf(partition)).toBe("stays, check day_14 +336");
  });

  test("Bing and Yandex are asked later where there is something to ask", () => {
    const followUp = { action: "check", stage: "bing", dueAt: SENT + HOUR } as never;
    const member = { position: 0, link: link("checking"), outcome: sent("accepted"), followUp };
    expect(decisionOf(decideSend(project(), step({ action: "send", lane: "bing" }), [member], SENT))).toBe(
      "stays, check bing +1",
    );
  });

  test("an instant link is first checked after 10 minutes; sent_at is when it was accepted", () => {
    const member = { position: 0, link: link("waiting"), outcome: sent("accepted") };
    const { moves, next } = decideSend(project({ mode: "instant" }), step({ action: "send" }), [member], SENT).result([
      0,
    ]);
    expect(moves[0]!.patch).toEqual({ sentAt: SENT });
    expect(next[0]).toMatchObject({ action: "check", stage: "early", dueAt: SENT + 10 * MINUTE });
  });

  test("law: every link of a step gets one decision", () => {
    const member = (position: number) => ({ position, link: link("waiting"), outcome: sent("accepted") });
    const partition = decideSend(project(), step({ action: "send" }), [member(0), member(1)], SENT);
    expect(() => partition.result([0, 1, 2])).toThrow(/missing 2/);
    expect(() => partition.result([0])).toThrow();
    expect(() => partition.done(1)).toThrow(/twice/);
    expect(partition.result([0, 1]).next).toMatchObject([{ positions: [0, 1] }]);
  });
});
