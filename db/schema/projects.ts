import { isNotNull, lt } from "drizzle-orm";
import type { Kit } from "../dialect.ts";
import { ACTIONS, CHECK_RESULTS, CHECK_STAGES, DELIVERY_STATUSES, FACT_SOURCES, LANES, LINK_STATES } from "../words.ts";

/** Projects, their links, the queue of steps and the evidence of what was done. */
export function projectsTables(k: Kit) {
  const projects = k.table(
    "projects",
    {
      no: k.serial("no"),
      id: k.text("id").notNull(),
      bucket: k.small("bucket").notNull(),
      accountId: k.text("account_id").notNull(),
      kind: k.text("kind").notNull(),
      name: k.text("name").notNull(),
      mode: k.text("mode"),
      bing: k.bool("bing").notNull(),
      yandex: k.bool("yandex").notNull(),
      dripDays: k.small("drip_days").notNull(),
      /** The sitemap its URLs were read from. */
      sitemapUrl: k.text("sitemap_url"),
      /** Id of the project whose URLs it sends again. */
      parentId: k.text("parent_id"),
      status: k.text("status").notNull(),
      /** Credits per link; 0 in a check, whose price is per group. */
      price: k.small("price").notNull(),
      total: k.int("total").notNull(),
      waiting: k.int("waiting").notNull(),
      checking: k.int("checking").notNull(),
      indexed: k.int("indexed").notNull(),
      notIndexed: k.int("not_indexed").notNull(),
      failed: k.int("failed").notNull(),
      creditsSpent: k.big("credits_spent").notNull(),
      creditsReturned: k.big("credits_returned").notNull(),
      /** Whether each link is looked up before it is sent, and not sent if Google has it. */
      skipIndexed: k.bool("skip_indexed").notNull().default(false),
      /** With `skipIndexed`: how many links were looked up before sending with a result, and how many of them Google had. */
      lookedUp: k.int("looked_up").notNull().default(0),
      alreadyIndexed: k.int("already_indexed").notNull().default(0),
      /** How many of its links, the first ones, are counted as pages (src/domain/coverage/fold.ts). */
      covered: k.int("covered").notNull().default(0),
      /** The experiment of which it is an arm. */
      experimentId: k.text("experiment_id"),
      /** Who made it, as in the ledger. */
      credential: k.text("credential"),
      /** For whom the credential submitted it, or who did at the website. */
      personId: k.text("person_id"),
      createdAt: k.big("created_at").notNull(),
      completedAt: k.big("completed_at"),
      /** JSON list of its tags; null: it has none. */
      tags: k.text("tags"),
      /** Whether it is left out of the lists of people who do not ask for it. */
      archived: k.bool("archived").notNull().default(false),
      /** Service time at which somebody last opened its results; null: nobody has. */
      openedAt: k.big("opened_at"),
    },
    (t) => [
      k.unique("projects_id").on(t.id),
      k.index("projects_account").on(t.accountId, t.no),
      k.index("projects_credential").on(t.accountId, t.credential, t.no),
      k.index("projects_uncovered").on(t.createdAt).where(lt(t.covered, t.total)),
    ],
  );

  /** The projects of each tag, by which lists are filtered: what `projects.tags` says, the other way round. */
  const projectTags = k.table(
    "project_tags",
    {
      accountId: k.text("account_id").notNull(),
      tag: k.text("tag").notNull(),
      projectNo: k.big("project_no").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.accountId, t.tag, t.projectNo] }),
      k.index("project_tags_project").on(t.projectNo),
    ],
  );

  /** One URL of a project. `id` = project number and position (src/platform/ids.ts), so a project is one range. */
  const links = k.table("links", {
    id: k.big("id").primaryKey(),
    bucket: k.small("bucket").notNull(),
    url: k.text("url").notNull(),
    state: k.word("state", LINK_STATES).notNull(),
    error: k.text("error"),
    sentAt: k.big("sent_at"),
    indexedAt: k.big("indexed_at"),
    /** When the link was cancelled while a worker held its step. */
    cancelledAt: k.big("cancelled_at"),
    /** Words of WARNINGS, space-separated. */
    warnings: k.text("warnings"),
  });

  /** 64-bit hashes of a project's URLs in submission order. The rows of an account's projects are the account's URL set. */
  const urlSets = k.table(
    "url_sets",
    {
      projectNo: k.big("project_no").primaryKey(),
      accountId: k.text("account_id").notNull(),
      hashes: k.bytes("hashes").notNull(),
    },
    (t) => [k.index("url_sets_account").on(t.accountId)],
  );

  /** The queue: actions for links of a project, each due at a time. A step that is done is deleted. */
  const steps = k.table(
    "steps",
    {
      id: k.serial("id"),
      bucket: k.small("bucket").notNull(),
      projectNo: k.big("project_no").notNull(),
      lane: k.word("lane", LANES).notNull(),
      action: k.word("action", ACTIONS).notNull(),
      stage: k.word("look", CHECK_STAGES).notNull(),
      /** 1 after a clean negative, while the second check is awaited. */
      negatives: k.small("negatives").notNull(),
      /** Failed attempts so far; they determine the backoff. */
      tries: k.small("tries").notNull(),
      /** Service ms since the first try of the final check in which a verifier was available. */
      availableMs: k.big("available_ms").notNull(),
      /** Service time of the previous check; null if none counts for `availableMs`. */
      checkedAt: k.big("looked_at"),
      priority: k.small("priority").notNull(),
      /** Service time. */
      dueAt: k.big("due_at").notNull(),
      first: k.small("first").notNull(),
      members: k.bytes("members").notNull(),
      size: k.small("size").notNull(),
      /** The claim that holds the step, until `leaseUntil` (real time). */
      lease: k.text("lease"),
      leaseUntil: k.big("lease_until"),
      /** Real time at which the worker was about to call an upstream. If it is set after a crash, the call may have been made. */
      intentAt: k.big("intent_at"),
    },
    (t) => [
      k.index("steps_due").on(t.priority, t.dueAt),
      k.index("steps_project_due").on(t.projectNo, t.lane, t.dueAt),
      k.index("steps_leased").on(t.leaseUntil).where(isNotNull(t.leaseUntil)),
    ],
  );

  /** The journal: calls of upstreams for steps in the queue, each written before it is made. */
  const calls = k.table(
    "calls",
    {
      id: k.serial("id"),
      bucket: k.small("bucket").notNull().default(0),
      stepId: k.big("step_id").notNull(),
      provider: k.text("provider").notNull(),
      /** Id of the call, under which some upstreams can look it up. */
      reference: k.text("reference").notNull(),
      first: k.small("first").notNull(),
      members: k.bytes("members").notNull(),
      /** Service time. */
      begunAt: k.big("begun_at").notNull(),
      /** JSON of the outcome for each member; null while it is not known. */
      outcomes: k.text("outcomes"),
    },
    (t) => [k.index("calls_step").on(t.stepId)],
  );

  /** The status of submitting a set of links to an engine. Append-only; the latest row of a link and lane counts. */
  const deliveries = k.table(
    "deliveries",
    {
      id: k.serial("id"),
      bucket: k.small("bucket").notNull().default(0),
      projectNo: k.big("project_no").notNull(),
      lane: k.word("lane", LANES).notNull(),
      at: k.big("at").notNull(),
      status: k.word("status", DELIVERY_STATUSES).notNull(),
      provider: k.text("provider").notNull(),
      detail: k.text("detail"),
      first: k.small("first").notNull(),
      last: k.small("last").notNull(),
      members: k.bytes("members").notNull(),
    },
    (t) => [k.index("deliveries_project").on(t.projectNo)],
  );

  /** The result of checking a set of links. Append-only: the evidence behind every verdict. */
  const observations = k.table(
    "observations",
    {
      id: k.serial("id"),
      bucket: k.small("bucket").notNull().default(0),
      projectNo: k.big("project_no").notNull(),
      at: k.big("at").notNull(),
      stage: k.word("look", CHECK_STAGES).notNull(),
      result: k.word("result", CHECK_RESULTS).notNull(),
      method: k.text("method").notNull(),
      provider: k.text("provider").notNull(),
      /** JSON of small counts, e.g. {"queries":2,"results":10,"matches":0}. */
      counts: k.text("counts"),
      reason: k.text("reason"),
      first: k.small("first").notNull(),
      last: k.small("last").notNull(),
      members: k.bytes("members").notNull(),
    },
    (t) => [k.index("observations_project").on(t.projectNo)],
  );

  /** What Bing says of links of connected sites. No credits follow from it, so it is apart from the evidence of Google. */
  const bingChecks = k.table(
    "bing_checks",
    {
      id: k.serial("id"),
      bucket: k.small("bucket").notNull().default(0),
      projectNo: k.big("project_no").notNull(),
      at: k.big("at").notNull(),
      stage: k.word("stage", CHECK_STAGES).notNull(),
      result: k.word("result", CHECK_RESULTS).notNull(),
      /** Why there is no answer. */
      reason: k.text("reason"),
      first: k.small("first").notNull(),
      last: k.small("last").notNull(),
      members: k.bytes("members").notNull(),
    },
    (t) => [k.index("bing_checks_project").on(t.projectNo)],
  );

  /**
   * What was said of links besides the result of a check: when an engine fetched them and with what outcome, and whom a page
   * keeps out. Append-only. No credits follow from it.
   */
  const pageFacts = k.table(
    "page_facts",
    {
      id: k.serial("id"),
      bucket: k.small("bucket").notNull().default(0),
      projectNo: k.big("project_no").notNull(),
      source: k.word("source", FACT_SOURCES).notNull(),
      at: k.big("at").notNull(),
      /** JSON of what these links have in common (src/domain/projects/facts.ts). */
      shared: k.text("shared").notNull(),
      /** One time for each link, by position (src/platform/packed-times.ts): its last crawl, or the page's last change. */
      times: k.bytes("times"),
      /** JSON list by position of what is each link's own; null where none has any. */
      own: k.text("own"),
      first: k.small("first").notNull(),
      last: k.small("last").notNull(),
      members: k.bytes("members").notNull(),
    },
    (t) => [k.index("page_facts_project").on(t.projectNo)],
  );

  /** Pages that were sent, and pages of the same list that were held out to be compared with them: a project each. */
  const experiments = k.table(
    "experiments",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      projectNo: k.big("project_no").notNull(),
      controlNo: k.big("control_no").notNull(),
      /** By which the held pages were chosen. */
      seed: k.text("seed").notNull(),
      /** Arms that are not completed. */
      openArms: k.small("open_arms").notNull(),
      /** Service time. */
      createdAt: k.big("created_at").notNull(),
      decidedAt: k.big("decided_at"),
    },
    (t) => [k.index("experiments_account").on(t.accountId)],
  );

  return {
    ...{ projects, projectTags, links, urlSets, steps, calls, deliveries, observations, bingChecks, pageFacts },
    experiments,
  };
}
