import type { Engine } from "../../../db/engine.ts";
import type { Executor } from "../../contract/executor.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { note as noteOfRequest } from "../../platform/request-context.ts";
import type { Watch } from "../../platform/telemetry.ts";

/** The same database; its transactions are seen, with how often each was run. */
export function watchedEngine(db: Engine, watch: Watch): Engine {
  return {
    ...db,
    tx(work, ...how) {
      const span = { kind: "transaction", name: "transaction", facts: { dialect: DIALECTS[db.dialect] } } as const;
      return watch.span(span, async (note) => {
        let tries = 0;
        try {
          return await db.tx(
            (tx) => {
              tries++;
              return work(tx);
            },
            ...how,
          );
        } finally {
          note({ tries });
        }
      });
    },
  };
}

const DIALECTS: Readonly<Record<Engine["dialect"], string>> = { pg: "postgresql", sqlite: "sqlite" };

/** The same executor; calls are seen, on whichever thread they run, with what came of them. */
export function watchedExecutor(executor: Executor, watch: Watch): Executor {
  return {
    run(work) {
      const { name } = work.operation;
      if (work.principal) noteOfRequest({ account: work.principal.accountId });
      return watch.span({ kind: "call", name, facts: { operation: name } }, async (note) => {
        try {
          const answer = await executor.run(work);
          note({ outcome: "ok", replayed: answer.replayed });
          return answer;
        } catch (thrown) {
          note({ outcome: thrown instanceof Refusal ? thrown.code : "internal" });
          throw thrown;
        }
      });
    },
  };
}
