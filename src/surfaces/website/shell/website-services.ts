import type { RequestGuard } from "../../../contract/authenticate.ts";
import type { Services } from "../../../contract/call.ts";
import type { Executor } from "../../../contract/executor.ts";
import type { Trial } from "../../../indexing/preflight/trial.ts";
import type { Log } from "../../http-server/log.ts";
import type { Mailer, Users } from "./domain.ts";

/** The services that pages use. */
export interface WebsiteServices extends Services {
  readonly guard: RequestGuard;
  readonly executor: Executor;
  /** Moves the service clock forward to that service time; only in a sandbox. */
  readonly advanceClock?: ((serviceAt: number) => Promise<void>) | undefined;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly trial: Trial;
  readonly users: Users;
}
