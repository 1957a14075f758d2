import type { Engine } from "../../../db/engine.ts";
import { createKeyOnce } from "../../../src/domain/credentials/keys.ts";
import { type Principal, SCOPES, type Scope } from "../../../src/platform/principal.ts";
import { ownerOf } from "./people.ts";

/** A caller with an API key of the account, which is made the first time. What spends is refused without a key that exists. */
export async function keyPrincipal(
  db: Engine,
  accountId: string,
  scopes: readonly Scope[] = SCOPES,
): Promise<Principal> {
  const id = accountId.replace("acc_", "key_");
  if (!made.has(id))
    await db.tx((tx) => createKeyOnce(tx, { id, accountId, name: "test", scopes, mode: "sandbox", now: 0 }));
  made.add(id);
  return {
    accountId,
    personId: await ownerOf(db, accountId),
    role: "owner",
    credential: { id, type: "api_key", name: "test", scopes, holder: id },
  };
}

const made = new Set<string>();
