import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { Tx } from "../../db/engine.ts";
import { HEARING } from "../../src/domain/credentials/listener.ts";
import { requireMayAct } from "../../src/domain/credentials/may-act.ts";
import { leadsElsewhere, tellOfChannel } from "../../src/domain/notices/channel-made.ts";
import {
  deletePushConfigs,
  findPushConfig,
  hasOtherTo,
  type PushConfigRow,
  pushConfigsOf,
  pushSecretsOf,
  savePushConfig,
} from "../../src/domain/tasks/push-configs.ts";
import { refuseUnreachable, webhookUrl } from "../../src/domain/webhooks/webhook-url.ts";
import { secretBoxOf } from "../../src/platform/config/secrets-key.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { Principal } from "../../src/platform/principal.ts";
import type { A2aCall, A2aMethods } from "../methods.ts";
import type { PushConfigDraft, TaskPushConfig } from "../wire.ts";
import { findTask } from "./access.ts";
import type { AgentDeps } from "./deps.ts";

type PushMethods = Pick<A2aMethods, "createPushConfig" | "getPushConfig" | "listPushConfigs" | "deletePushConfig">;

/** A push configuration whose URL may be called, and that can be saved for a task. */
export type CheckedPushConfig = PushConfigDraft & { readonly principal: Principal };

/** Push configurations of tasks. Each belongs to the credential that made it: others do not see it. */
export class PushConfigs implements PushMethods {
  readonly #deps: AgentDeps;

  constructor(deps: AgentDeps) {
    this.#deps = deps;
  }

  /** @throws Refusal unauthorized, insufficient_scope, RequestMalformedError for a URL that may not be called */
  async check(draft: PushConfigDraft, call: A2aCall): Promise<CheckedPushConfig> {
    const { admission, caller } = call;
    const principal = this.#deps.guard.requireScopes([HEARING], "A push configuration", admission, caller);
    try {
      const url = webhookUrl(draft.url);
      await refuseUnreachable(this.#deps.services.http, url);
      return { ...draft, url, principal };
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.code !== "webhook_invalid") throw thrown;
      throw new RequestMalformedError(`Push notifications: ${thrown.message}`);
    }
  }

  /** @throws Refusal rate_limited, TaskNotFoundError */
  async save(
    { principal, id, url, token, authentication }: CheckedPushConfig,
    { taskId, protocol = "1.0" }: { readonly taskId: string; readonly protocol?: "1.0" | "0.3" | undefined },
  ): Promise<TaskPushConfig> {
    const { db, clock } = this.#deps.services;
    const { accountId, credential } = principal;
    const secrets = { token, ...authentication };
    const config = { accountId, maker: credential.id, taskId, configId: id, url, protocol, secrets };
    const row = await db.tx(async (tx) => {
      const now = clock.now();
      await requireMayAct(tx, principal, { scopes: [HEARING], now });
      const saved = await savePushConfig(tx, this.#box, config, now);
      if (saved && leadsElsewhere(saved.before, saved.row)) await this.#tellOwner(tx, saved.row, { principal, now });
      return saved?.row;
    });
    if (!row) throw new TaskNotFoundError("The task is not there any more.");
    return this.#present(row);
  }

  async createPushConfig({ taskId, ...draft }: PushConfigDraft & { taskId: string }, call: A2aCall) {
    await this.#refuseUnseen(taskId, call);
    return this.save(await this.check(draft, call), { taskId, protocol: call.protocol });
  }

  async getPushConfig({ taskId, id: configId }: { taskId: string; id: string }, call: A2aCall) {
    const { credential } = await this.#refuseUnseen(taskId, call);
    const row = await findPushConfig(this.#deps.services.db, { maker: credential.id, taskId, configId });
    if (!row) throw new TaskNotFoundError("The task has no such push configuration, or another credential made it.");
    return this.#present(row);
  }

  async listPushConfigs({ taskId }: { taskId: string }, call: A2aCall) {
    const { credential } = await this.#refuseUnseen(taskId, call);
    const rows = await pushConfigsOf(this.#deps.services.db, { maker: credential.id, taskId });
    return { configs: rows.map((row) => this.#present(row)) };
  }

  async deletePushConfig({ taskId, id: configId }: { taskId: string; id: string }, call: A2aCall) {
    const principal = await this.#refuseUnseen(taskId, call);
    const { db, clock } = this.#deps.services;
    await db.tx(async (tx) => {
      await requireMayAct(tx, principal, { scopes: [], now: clock.now() });
      const row = await findPushConfig(tx, { maker: principal.credential.id, taskId, configId });
      if (row) await deletePushConfigs(tx, [row.id]);
    });
    return {};
  }

  #principalOf({ admission, caller }: A2aCall): Principal {
    return this.#deps.guard.requireCredential(admission, caller);
  }

  /** @throws TaskNotFoundError */
  async #refuseUnseen(taskId: string, call: A2aCall): Promise<Principal> {
    const principal = this.#principalOf(call);
    await findTask(this.#deps.services, principal, taskId);
    return principal;
  }

  /** Tells the owner once for all tasks that a credential reports to the same receiver. */
  async #tellOwner(
    tx: Tx,
    row: PushConfigRow,
    { principal, now }: { principal: Principal; now: number },
  ): Promise<void> {
    if (await hasOtherTo(tx, row)) return;
    await tellOfChannel(tx, this.#deps.services.config, { kind: "push", url: row.url, caller: principal }, now);
  }

  /** The secrets by which a receiver recognises us are not given back. */
  #present(row: PushConfigRow): TaskPushConfig {
    const { taskId, configId: id, url } = row;
    const { scheme } = pushSecretsOf(this.#box, row);
    return { taskId, id, url, ...(scheme === undefined ? {} : { authentication: { scheme } }) };
  }

  get #box() {
    return secretBoxOf(this.#deps.services.config);
  }
}
