import type { Engine } from "../../../db/engine.ts";
import { operations } from "../../../tools/index.ts";
import { type Answer, call } from "../../contract/call.ts";
import { NO_PAYMENTS } from "../../domain/payments/payments.ts";
import type { Config } from "../../platform/config/config.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import { RawList } from "../../platform/json/raw-list.ts";
import { type BulkCall, clockOfCall } from "./messages.ts";

/** Answers calls on the thread's own connection. */
export interface BulkCaller {
  answer(call: BulkCall, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

const byName = new Map(operations.map((operation) => [operation.name, operation]));

export function bulkCaller(db: Engine, config: Config): BulkCaller {
  const http = createHttpClient(config);
  return {
    async answer(bulk, signal) {
      const { operation: name, list, input: fields, ...rest } = bulk;
      const operation = byName.get(name)!;
      const input = list ? { ...(fields as object), urls: new RawList(list.bytes, list.values) } : fields;
      const services = { db, config, http, payments: NO_PAYMENTS, clock: clockOfCall(bulk) };
      return call(services, { ...rest, operation, input, signal });
    },
    close: () => http.close(),
  };
}
