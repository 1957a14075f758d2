import type { RequestGuard } from "../../src/contract/authenticate.ts";
import type { Services } from "../../src/contract/call.ts";
import type { Executor } from "../../src/contract/executor.ts";
import type { OpenStreams } from "../../src/contract/open-streams.ts";
import type { Log } from "../../src/surfaces/http-server/log.ts";

/** What the agent works with. */
export interface AgentDeps {
  readonly services: Services;
  readonly guard: RequestGuard;
  readonly executor: Executor;
  readonly streams: OpenStreams;
  readonly log: Log;
}
