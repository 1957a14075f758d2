import { afterAll, describe, expect, test } from "vitest";
import { keysOf } from "../src/domain/credentials/keys.ts";
import type { EventType } from "../src/domain/events/types.ts";
import { approvalsOf, decideApproval } from "../src/domain/spending/approvals.ts";
import { setLimits } from "../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../src/domain/spending/limits.ts";
import type { Engines } from "../src/indexing/engines/engine.ts";
import { DAY } from "../src/platform/clock.ts";
import { testChecker } from "./support/service/checker.ts";
import { type TestService, testService } from "./support/service/service.ts";
import { type CallResult, SURFACES, type SurfaceClient } from "./support/service/surface-client.ts";

const services: TestService[] = [];
afterAll(async () => {
  for (const service of services) await service.close();
});

/** Pages that Google takes once they were mended; what was mended is what stands in the set. */
const takenOnceMended =
  (mended: ReadonlySet<string>) =>
  (sandbox: Engines): Engines => ({
    ...sandbox,
    verifier: {
      check: async ({ links }) =>
        links.map(({ url }) => ({
          ...(url.endsWith("/good") || mended.has(url)
            ? ({ result: "indexed" } as const)
            : ({ result: "not_indexed", reason: "soft_404" } as const)),
          ...{ available: true, provider: "p", method: "url_inspection", authoritative: true },
        })),
    },
  });

interface Told {
  readonly id: string;
  readonly type: EventType;
  readonly project_id: string | null;
  readonly data: Record<string, unknown>;
}

/**
 * An agent that does what the skill says of an event, and nothing else. It keeps what it has to remember: the last event it has
 * seen, and the call that waits for a yes.
 */
class ToldAgent {
  readonly said: string[] = [];
  readonly mended = new Set<string>();
  #after: string | undefined;
  #waiting: { name: string; input: Record<string, unknown> } | null = null;
  readonly #client: SurfaceClient;
  readonly #key: string;

  constructor(client: SurfaceClient, key: string) {
    this.#client = client;
    this.#key = key;
  }

  call(name: string, input: Record<string, unknown>, idempotencyKey?: string): Promise<CallResult> {
    return this.#client.call(name, input, { key: this.#key, ...(idempotencyKey && { idempotencyKey }) });
  }

  async wake(): Promise<void> {
    const { body } = await this.call("list_events", this.#after ? { after: this.#after } : {});
    for (const event of body.events as Told[]) {
      this.#after = event.id;
      await this.#actions[event.type]?.(event);
    }
  }

  readonly #actions: Partial<Record<EventType, (event: Told) => Promise<void>>> = {
    "project.completed": async ({ project_id }) => {
      const { body: report } = await this.call("get_report", { project_id });
      const mine = report.groups.filter((group: { who?: string }) => group.who === "you");
      const { body: list } = await this.call("list_links", { project_id, status: "not_indexed" });
      this.said.push(`${list.links.length} left, ${mine.map((group: { reason: string }) => group.reason).join()}`);
      if (mine.length === 0) return;
      for (const { url } of list.links) this.mended.add(url);
      const { body: estimate } = await this.call("estimate_cost", { project_id });
      this.said.push(`again for ${estimate.credits}`);
      await this.#spend("resubmit", { project_id }, "again");
    },
    "spending.approval_decided": async ({ data }) => {
      const waiting = this.#waiting!;
      this.#waiting = null;
      if (data.approved) await this.#spend(waiting.name, waiting.input, "again");
      else this.said.push("nothing was spent");
    },
  };

  async #spend(name: string, input: Record<string, unknown>, idempotencyKey: string): Promise<void> {
    const { code, body } = await this.call(name, input, idempotencyKey);
    if (code === null) return;
    expect(code).toBe("approval_required");
    this.#waiting = { name, input };
    this.said.push(`asks at ${new URL(body.approval_url).pathname.replace(/\/apr_\w+$/, "")}`);
  }
}

describe.each(Object.keys(SURFACES))("%s", (surface) => {
  test.each([
    ["a yes", true, ["1 left, soft_404", "again for 1", "asks at /dashboard/approvals", "0 left, "]],
    ["a no", false, ["1 left, soft_404", "again for 1", "asks at /dashboard/approvals", "nothing was spent"]],
  ])(
    "law: told by events alone, an agent reports, mends, and submits again only after %s",
    async (_, isApproved, said) => {
      const service = await testService();
      services.push(service);
      const { db, clock } = service;
      const client = SURFACES[surface]!(service);
      const { id: accountId, key } = await service.account({ credits: 10 });
      const agent = new ToldAgent(client, key);
      const checker = testChecker(service, takenOnceMended(agent.mended));
      const urls = ["https://example.com/good", "https://example.com/empty"];
      expect((await agent.call("submit_urls", { urls }, "first")).ok).toBe(true);
      const holder = (await keysOf(db, accountId))[0]!.id;
      await db.tx((tx) => setLimits(tx, { accountId, holder }, { ...NO_LIMITS, approveAbove: 0 }));
      for (let half = 0; half < 80; half++) {
        await checker.until(clock.service() + DAY / 2);
        await agent.wake();
        const [approval] = await approvalsOf(db, accountId, 1);
        if (approval?.decidedAt !== null) continue;
        const decision = { id: approval.id, isApproved, now: clock.now() };
        expect(await db.tx((tx) => decideApproval(tx, accountId, decision))).toBe("decided");
      }
      expect(agent.said).toEqual(said);
      expect((await agent.call("get_account", {})).body.credits).toBe(isApproved ? 8 : 9);
      await client.close();
    },
  );
});
