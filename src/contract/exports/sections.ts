import { accountById } from "../../domain/accounts/accounts.ts";
import { coverageDaysOf, keyUsageOf, rowsOf, securityLogOf } from "../../domain/exports/rows.ts";
import { noticesOffOf } from "../../domain/notices/settings.ts";
import { armsOf } from "../../domain/projects/experiments/read.ts";
import { tagsOf } from "../../domain/projects/labels.ts";
import { eachLink } from "../../domain/projects/list-links.ts";
import { eachProject } from "../../domain/projects/list-projects.ts";
import type { ProjectRow } from "../../domain/projects/read.ts";
import { ownProperties } from "../../indexing/sites/own-properties.ts";
import { verifiedSite } from "../../indexing/sites/sites.ts";
import { DAY, iso } from "../../platform/clock.ts";
import { columnsOf } from "../shapes/columns.ts";
import { Event, presentEvent } from "../shapes/event.ts";
import { Experiment, presentExperiment } from "../shapes/experiment.ts";
import { LedgerEntry, presentEntry } from "../shapes/ledger-entry.ts";
import { Link, presentLinksWithChecks } from "../shapes/link.ts";
import { Order, presentOrder } from "../shapes/order.ts";
import { Project, presentProject } from "../shapes/project.ts";
import { presentShare, Share } from "../shapes/share.ts";
import { presentSite, Site } from "../shapes/site.ts";
import { PageVisits, presentVisits } from "../shapes/visits.ts";
import { presentOwnWebhook, Webhook } from "../shapes/webhook.ts";
import { PERSON_SECTIONS } from "./person-sections.ts";
import { mapped, parsed, type Source, section } from "./section.ts";
import { WATCH_SECTIONS } from "./watch-sections.ts";

/** All sections, by the names of their files. No secret is in them, and no hash of one. */
export const SECTIONS = {
  account: section("The account.", {
    columns: ["id", "email", "name", "credits", "created_at", "low_credits_threshold", "notices_off"],
    async *batches({ db, accountId }) {
      const row = await accountById(db, accountId);
      const { id, email, name, credits, createdAt, lowCredits } = row;
      const notices = { low_credits_threshold: lowCredits, notices_off: [...(await noticesOffOf(db, accountId))] };
      yield [{ id, email, name, credits, created_at: iso(createdAt), ...notices }];
    },
  }),
  members: section("The people of the account.", {
    columns: ["person_id", "role", "joined_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "members", "personId", accountId), ({ personId, role, joinedAt }) => {
        return { person_id: personId, role, joined_at: iso(joinedAt) };
      }),
  }),
  ledger: section("Every change of the balance, oldest first.", {
    columns: columnsOf(LedgerEntry),
    batches: ({ db, accountId }) => mapped(rowsOf(db, "ledger", "no", accountId), presentEntry),
  }),
  orders: section("Purchases of credits.", {
    columns: columnsOf(Order),
    batches: ({ db, accountId }) => mapped(rowsOf(db, "orders", "id", accountId), presentOrder),
  }),
  projects: section("Projects and checks, with their counts.", {
    columns: [...columnsOf(Project), "parent_id", "tags", "archived"],
    batches: (source) =>
      mapped(projectsOf(source), (row) => {
        const labels = { tags: tagsOf(row), archived: row.archived };
        return { ...presentProject(row, source.config), parent_id: row.parentId, ...labels };
      }),
  }),
  links: section("URLs, with what each engine answered; the JSON has every check too.", {
    columns: columnsOf(Link),
    async *batches(source) {
      for await (const projects of projectsOf(source))
        for (const project of projects)
          for await (const records of eachLink(source.db, project, { state: null, withOwnFacts: true }))
            yield await presentLinksWithChecks(source.db, source.accountId, {
              records,
              siteUrl: source.config.siteUrl,
            });
    },
  }),
  experiments: section("Submissions of which pages were held out, to be compared with the others.", {
    columns: columnsOf(Experiment),
    async *batches({ db, accountId }) {
      for await (const rows of rowsOf(db, "experiments", "id", accountId)) {
        const records = [];
        for (const row of rows) records.push(await presentExperiment(db, row, await armsOf(db, row)));
        yield records;
      }
    },
  }),
  sites: section("Hosts that were added as the account's own.", {
    columns: columnsOf(Site),
    async *batches({ db, config, accountId }) {
      const own = await ownProperties(db, accountId);
      yield* mapped(rowsOf(db, "sites", "id", accountId), (row) => presentSite(verifiedSite(row, own), config));
    },
  }),
  search_connections: section(
    "Connections to your own Search Console and Bing Webmaster accounts; without their tokens.",
    {
      columns: ["id", "kind", "name", "scopes", "properties", "created_at", "checked_at", "failing_since", "failure"],
      batches: ({ db, accountId }) =>
        mapped(rowsOf(db, "connections", "id", accountId), ({ id, kind, name, scopes, failure, ...row }) => {
          const times = { created_at: iso(row.createdAt), checked_at: iso(row.checkedAt) };
          const failing = { failing_since: iso(row.failingSince), failure, ended_at: iso(row.endedAt) };
          return { id, kind, name, scopes: wordsOf(scopes), properties: parsed(row.properties), ...times, ...failing };
        }),
    },
  ),
  visits: section("Visits of crawlers to pages, from the access logs of sites.", {
    columns: ["url", ...columnsOf(PageVisits)],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "visits", "id", accountId), (row) => ({ url: row.url, ...presentVisits(row) })),
  }),
  coverage: section("What Google has of the pages of each host, on the UTC days on which it changed.", {
    columns: ["host", "day", "pages", "in_google", "not_in_google"],
    batches: ({ db, accountId }) =>
      mapped(coverageDaysOf(db, accountId), ({ host, day, pages, inGoogle, notInGoogle }) => {
        return { host, day: dateOf(day), pages, in_google: inGoogle, not_in_google: notInGoogle };
      }),
  }),
  usage: section("Requests and submissions of the account by UTC day.", {
    columns: ["day", "requests", "submissions"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "usage", "day", accountId), ({ day, requests, submissions }) => {
        return { day: dateOf(day), requests, submissions };
      }),
  }),
  api_keys: section("API keys, revoked ones included; the keys themselves are not stored.", {
    columns: ["id", "name", "ending", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "apiKeys", "id", accountId), ({ id, name, ending, scopes, ...row }) => {
        const times = { created_at: iso(row.createdAt), last_used_at: iso(row.lastUsedAt) };
        const ends = { expires_at: iso(row.expiresAt), revoked_at: iso(row.revokedAt) };
        return { id, name, ending, scopes: wordsOf(scopes), ...times, ...ends };
      }),
  }),
  api_key_usage: section("Calls of each API key by UTC day.", {
    columns: ["key_id", "day", "calls"],
    batches: ({ db, accountId }) =>
      mapped(keyUsageOf(db, accountId), ({ keyId, day, calls }) => ({ key_id: keyId, day: dateOf(day), calls })),
  }),
  connections: section("Apps and agents that were connected, ended ones included.", {
    columns: [
      "id",
      "kind",
      "client_id",
      "name",
      "scopes",
      "created_at",
      "last_used_at",
      "ends_at",
      "ended_at",
      "ended_by",
    ],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "grants", "id", accountId), ({ id, kind, clientId, name, scopes, ...row }) => {
        const times = { created_at: iso(row.createdAt), last_used_at: iso(row.lastUsedAt), ends_at: iso(row.endsAt) };
        const end = { ended_at: iso(row.revokedAt), ended_by: row.endedBy };
        return { id, kind, client_id: clientId, name, scopes: wordsOf(scopes), ...times, ...end };
      }),
  }),
  agent_tasks: section("Tasks that agents were given over A2A, with their messages.", {
    columns: ["id", "context_id", "skill", "state", "state_at", "created_at", "expires_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "tasks", "id", accountId), ({ id, contextId, skill, state, ...row }) => {
        const times = { state_at: iso(row.stateAt), created_at: iso(row.createdAt), expires_at: iso(row.expiresAt) };
        const content = { input: parsed(row.input), message: parsed(row.said), answer: parsed(row.answer) };
        return { id, context_id: contextId, skill, state, ...times, ...content, history: parsed(row.history) };
      }),
  }),
  events: section("Events of the last 30 days.", {
    columns: columnsOf(Event),
    batches: ({ db, accountId }) => mapped(rowsOf(db, "events", "no", accountId), presentEvent),
  }),
  webhooks: section("Webhooks; their secrets are left out.", {
    columns: columnsOf(Webhook),
    batches: ({ db, accountId }) => mapped(rowsOf(db, "webhooks", "id", accountId), presentOwnWebhook),
  }),
  shares: section(
    "Links by which results are shared, until 30 days after their end; the links themselves are not stored.",
    {
      columns: [...columnsOf(Share), "ended_at"],
      batches: ({ db, accountId }) =>
        mapped(rowsOf(db, "shares", "id", accountId), (row) => ({ ...presentShare(row), ended_at: iso(row.endedAt) })),
    },
  ),
  event_subscriptions: section("What MCP clients are told of at an address; secrets are left out.", {
    columns: ["id", "url", "event", "arguments", "maker", "created_at", "expires_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "eventSubscriptions", "id", accountId), ({ id, url, type, maker, ...row }) => {
        const times = { created_at: iso(row.createdAt), expires_at: iso(row.expiresAt) };
        return { id, url, event: type, arguments: JSON.parse(row.arguments), maker, ...times };
      }),
  }),
  push_configurations: section("Addresses that are told of the tasks of agents; their secrets are left out.", {
    columns: ["task_id", "id", "url", "created_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "pushConfigs", "id", accountId), ({ taskId, configId, url, createdAt }) => {
        return { task_id: taskId, id: configId, url, created_at: iso(createdAt) };
      }),
  }),
  deletions: section("A deletion of the account that is under way.", {
    columns: ["requested_at", "due_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "accountDeletions", "accountId", accountId), ({ requestedAt, dueAt }) => {
        return { requested_at: iso(requestedAt), due_at: iso(dueAt) };
      }),
  }),
  budgets: section("What keys, apps and agents may spend and have spent, in credits.", {
    columns: ["holder", "per_call", "per_day", "per_month", "total", "approve_above", "expires_at", "spent"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "budgets", "holder", accountId), ({ holder, spent, expiresAt, ...limits }) => {
        const { perCall: per_call, perDay: per_day, perMonth: per_month, total, approveAbove: approve_above } = limits;
        return { holder, per_call, per_day, per_month, total, approve_above, expires_at: iso(expiresAt), spent };
      }),
  }),
  approvals: section("Calls that you were asked to approve.", {
    columns: ["id", "credential_id", "credential_name", "operation", "credits", "status", "about.name", "created_at"],
    batches: ({ db, accountId }) =>
      mapped(rowsOf(db, "approvals", "id", accountId), ({ id, operation, credits, status, ...row }) => {
        const { credential: credential_id, credentialName: credential_name, projectId: project_id } = row;
        const times = { created_at: iso(row.createdAt), decided_at: iso(row.decidedAt), used_at: iso(row.usedAt) };
        const call = { id, credential_id, credential_name, operation, credits, status, project_id };
        return { ...call, about: parsed(row.about), ...times };
      }),
  }),
  ...PERSON_SECTIONS,
  ...WATCH_SECTIONS,
  security_log: section(
    "The security log and the activity of the account, without the addresses of others; oldest first.",
    {
      columns: ["at", "kind", "subject", "target_id", "ip", "person_id", "role", "credential_id"],
      batches: ({ db, ...whose }) =>
        mapped(securityLogOf(db, whose), ({ at, kind, subject, target, ip, personId, role, credential }) => {
          const target_id = target?.includes("@") ? null : target;
          return { at: iso(at), kind, subject, target_id, ip, person_id: personId, role, credential_id: credential };
        }),
    },
  ),
} as const;

function projectsOf({ db, accountId }: Source): AsyncIterable<readonly ProjectRow[]> {
  return eachProject(db, accountId, { kind: "all", status: "any" });
}

/** The UTC day of a number of days since 1970, as YYYY-MM-DD. */
function dateOf(day: number): string {
  return iso(day * DAY).slice(0, 10);
}

function wordsOf(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
