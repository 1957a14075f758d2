import type { Engine } from "../../../db/engine.ts";
import { secretBoxOf } from "../../platform/config/secrets-key.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Api } from "../engines/live/api.ts";
import { apiWithConnections, type ConnectedApiDeps } from "../engines/live/own/api.ts";

export type ConnectionDeps = ConnectedApiDeps;

/** What work on connections needs. */
export interface Workbench {
  readonly db: Engine;
  readonly box: SecretBox;
  readonly api: Api;
}

export function workbenchOf(deps: ConnectionDeps): Workbench {
  return { db: deps.db, box: secretBoxOf(deps.config), api: apiWithConnections(deps) };
}
