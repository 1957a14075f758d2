import type { Plugin } from "vitest/config";
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from "vitest/node";

type Listener = (message: unknown) => void;

/** The process that has run the tests of the mutant before, with all that it has imported. */
let kept: ForksPoolWorker | null = null;

/**
 * Runs the tests of each mutant in the process of the one before, where vitest would start a process for each, which takes
 * longer than the tests. A mutant of what is evaluated at the import of its file gets a new process.
 */
export function keptWorker(): Plugin {
  return {
    name: "kept worker",
    configureVitest({ project }) {
      Object.assign(project.config, { pool: "kept", poolRunner: { name: "kept", createPoolWorker } });
    },
  };
}

function createPoolWorker(options: PoolOptions): PoolWorker {
  const isStatic = Reflect.get(options.project.getProvidedContext(), "mutantActivation") === "static";
  const worker = isStatic || kept === null ? new ForksPoolWorker(options) : kept;
  kept = isStatic ? kept : worker;
  const listening: [event: string, listener: Listener][] = [];
  const tell = (message: object) => {
    for (const [event, listener] of listening) if (event === "message") listener(message);
  };
  return {
    name: "kept",
    cacheFs: true,
    start: () => worker.start(),
    on(event, listener) {
      listening.push([event, listener]);
      worker.on(event, listener);
    },
    off: (event, listener) => worker.off(event, listener),
    send(message: WorkerRequest) {
      if (message.type === "stop" && worker === kept) tell({ type: "stopped", __vitest_worker_response__: true });
      else worker.send(message);
    },
    async stop() {
      for (const [event, listener] of listening) if (worker === kept) worker.off(event, listener);
      if (worker !== kept) await worker.stop();
    },
    deserialize: (data) => data,
  };
}
