import type { Engine } from "../../../db/engine.ts";
import type { Executor } from "../../contract/executor.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Tracer } from "../../platform/telemetry.ts";

/** Makes each transaction of a database a span with its number of tries. */
export function tracedEngine(db: Engine, tracer: Tracer): Engine {
  return {
    ...db,
    tx(work, ...options) {
      const span = { kind: "transaction", name: "transaction", attributes: { dialect: DIALECTS[db.dialect] } } as const;
      return tracer.span(span, async (setAttributes) => {
        let tries = 0;
        try {
          return await db.tx(
            (tx) => {
              tries++;
              return work(tx);
            },
            ...options,
          );
        } finally {
          setAttributes({ tries });
        }
      });
    },
  };
}

const DIALECTS: Readonly<Record<Engine["dialect"], string>> = { pg: "postgresql", sqlite: "sqlite" };

/**
 * Makes each call of an executor a span with its outcome, on whichever thread it runs. If the tracer records no
 * calls, the result is the executor itself.
 */
export function tracedExecutor(executor: Executor, tracer: Tracer): Executor {
  if (!tracer.kinds.has("call")) return executor;
  return {
    run(work) {
      const { name } = work.operation;
      return tracer.span({ kind: "call", name, attributes: { operation: name } }, async (setAttributes) => {
        try {
          const answer = await executor.run(work);
          setAttributes({ outcome: "ok", replayed: answer.replayed });
          return answer;
        } catch (thrown) {
          setAttributes({ outcome: thrown instanceof Refusal ? thrown.code : "internal" });
          throw thrown;
        }
      });
    },
  };
}
