import type { Engine } from "../../../../../db/engine.ts";
import type { Clock } from "../../../../platform/clock.ts";
import type { Config } from "../../../../platform/config/config.ts";
import { secretBoxOf } from "../../../../platform/config/secrets-key.ts";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import type { Api } from "../api.ts";
import { connectionAccess } from "./access.ts";

export interface ConnectedApiDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Pick<Config, "providers" | "mode" | "databaseUrl" | "secretsKeys">;
  readonly http: HttpClient;
}

/** What adapters of providers need, with the own connections of accounts. */
export function apiWithConnections({ db, clock, config, http }: ConnectedApiDeps): Api {
  const api: Api = { http, clock, settings: config.providers };
  return { ...api, connections: connectionAccess(api, { db, box: secretBoxOf(config) }) };
}
