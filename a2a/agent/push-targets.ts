import type { Services } from "../../src/contract/call.ts";
import {
  deletePushConfigs,
  type PushConfigRow,
  type PushSecrets,
  pushConfigsByIds,
  pushSecretsOf,
} from "../../src/domain/tasks/push-configs.ts";
import type { TaskRecord } from "../../src/domain/tasks/read.ts";
import { isTerminal } from "../../src/domain/tasks/states.ts";
import { TASK_STATE } from "../../src/domain/webhooks/queue.ts";
import type { DeliveryTarget, FindTargets } from "../../src/domain/webhooks/target.ts";
import type { Config } from "../../src/platform/config/config.ts";
import { secretBoxOf } from "../../src/platform/config/secrets-key.ts";
import type { StreamResponse } from "../wire.ts";
import { maySee, settledTask } from "./access.ts";
import { statusUpdate, taskOf } from "./present.ts";

/**
 * Push configurations as targets of deliveries (A2A 1.0 section 4.3.3). A message says how the task is when it is sent: a
 * status update, and in the end the whole task, without the messages that made it.
 */
export function pushTargets({ clock, config }: Pick<Services, "clock" | "config">): FindTargets {
  const box = secretBoxOf(config);
  const targetOf = (db: Services["db"], row: PushConfigRow): DeliveryTarget => {
    const { id, accountId, taskId, maker, url, protocol } = row;
    const end: DeliveryTarget["end"] = (tx) => deletePushConfigs(tx, [id]);
    return {
      ...{ id, maker, url, end },
      async messageAt(_at, listener) {
        const record = await settledTask({ db, now: clock.now() }, accountId, taskId);
        if (!record || !maySee(record, listener)) return null;
        const { contentType, body } = await (protocol === "0.3" ? legacyMessageOf : messageOf)(record, config);
        return { headers: { "Content-Type": contentType, ...headersOf(pushSecretsOf(box, row)) }, body };
      },
      note: async (tx, { reason }, now) => (reason === "gone" ? end(tx, now) : undefined),
    };
  };
  return async (db, deliveries) => {
    const states = deliveries.filter(({ eventNo }) => eventNo === TASK_STATE);
    if (states.length === 0) return new Map();
    const rows = await pushConfigsByIds(
      db,
      states.map(({ targetId }) => targetId),
    );
    const targets = new Map(rows.map((row) => [row.id, targetOf(db, row)]));
    return new Map(states.flatMap(({ id, targetId }) => (targets.has(targetId) ? [[id, targets.get(targetId)!]] : [])));
  };
}

async function messageOf(record: TaskRecord, config: Config) {
  return { contentType: "application/a2a+json", body: JSON.stringify(eventOf(record, config)) };
}

function eventOf(record: TaskRecord, config: Config): StreamResponse {
  if (!isTerminal(record.task.state)) return statusUpdate(record, config);
  return { task: taskOf(record, config, { historyLength: 0 }) };
}

/** In 0.3 the body is the task, as the SDK writes it. Loaded with the first one. */
async function legacyMessageOf(record: TaskRecord, config: Config) {
  const { Task } = await import("@a2a-js/sdk");
  const { V03PushNotificationSerializer } = await import("@a2a-js/sdk/compat/v0_3/server");
  const value = Task.fromJSON(taskOf(record, config, { historyLength: 0 }));
  return new V03PushNotificationSerializer().serialize({ payload: { $case: "task", value } }, value);
}

/** The SDKs use this header for the token. The specification names only the other one. */
function headersOf({ token, scheme, credentials }: PushSecrets): Record<string, string> {
  return {
    ...(token === undefined ? {} : { "X-A2A-Notification-Token": token }),
    ...(scheme === undefined ? {} : { Authorization: credentials === undefined ? scheme : `${scheme} ${credentials}` }),
  };
}
