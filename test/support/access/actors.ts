import { identify } from "../../../src/domain/credentials/identify.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import type { Principal } from "../../../src/platform/principal.ts";
import { ownerPrincipal } from "../database/people.ts";
import { appOf } from "../oauth/app.ts";
import type { TestService } from "../service/service.ts";
import { signedIn, type User } from "../website/user.ts";

export const ACTORS = ["key", "app", "person"] as const;
export type ActorKind = (typeof ACTORS)[number];

/** Somebody who acts in an account of its own. */
export interface Actor {
  readonly accountId: string;
  readonly email: string;
  /** The owner of the account, who is signed in. */
  readonly user: User;
  /** The API key or the access token; "" of a person. */
  readonly secret: string;
  /** As which its webhooks, push configurations and watches stand in the database. */
  readonly principal: Principal;
}

export async function actorOf(service: TestService, kind: ActorKind): Promise<Actor> {
  const { user, accountId, email } = await signedIn(service);
  const secret = await secretOf(service, kind, accountId);
  const { db, clock } = service;
  const presented = { authorization: `Bearer ${secret}` };
  const known = secret && (await identify(db, presented, { resource: "/api/v1", now: clock.now() }));
  return { accountId, email, user, secret, principal: known || (await ownerPrincipal(db, accountId)) };
}

async function secretOf(service: TestService, kind: ActorKind, accountId: string): Promise<string> {
  const { db, clock } = service;
  if (kind === "person") return "";
  if (kind === "key")
    return db.tx((tx) => createKey(tx, { accountId, name: "key", mode: "sandbox", now: clock.now() }));
  const app = appOf(service);
  return (await app.exchange(await app.code({ accountId }))).json.access_token;
}
