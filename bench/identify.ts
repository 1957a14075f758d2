import { join } from "node:path";
import Database from "better-sqlite3";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { identify, type PresentedCredentials } from "../src/domain/credentials/identify.ts";
import { hashOf, newSecret } from "../src/domain/credentials/secrets.ts";
import { DAY } from "../src/platform/clock.ts";
import { type Cost, costOf, inFolder, median, round } from "./support.ts";

const NOW = Date.UTC(2026, 0, 1);

/**
 * The cost of authentication: CPU of one request's `identify()`, in µs, with `grants` connected apps and as many
 * API keys in a SQLite file, for `calls` calls of credentials that are spread over all of them. Medians of `rounds`.
 */
export async function benchIdentify(grants: number, calls: number, rounds: number) {
  return inFolder(async (folder) => {
    const path = join(folder, "bench.db");
    const db = await openDatabase(`file:${path}`);
    await db.tx((tx) => createAccount(tx, { email: "bench@example.com", now: NOW }));
    const { keys, tokens } = fill(path, grants);
    // A new object for each call, as each request has headers of its own.
    const presented = {
      "access token": tokens.map((secret): PresentedCredentials => ({ authorization: `Bearer ${secret}` })),
      "API key": keys.map((secret): PresentedCredentials => ({ authorization: `Bearer ${secret}` })),
      "API key in X-API-Key": keys.map((secret): PresentedCredentials => ({ apiKey: secret })),
      "no such token": tokens.map(
        (): PresentedCredentials => ({ authorization: `Bearer ${newSecret("access").secret}` }),
      ),
    };
    const at = { resource: "/api/v1", now: NOW } as const;
    const figures: Record<string, { cpu: number; wall: number }> = {};
    for (const [name, headers] of Object.entries(presented)) {
      const costs: Cost[] = [];
      for (let round = 0; round <= rounds; round++) {
        const cost = await costOf(async () => {
          // A stride coprime to their number visits credentials that are far apart.
          for (let i = 0; i < calls; i++)
            await identify(db, headers[(i * 7919) % headers.length]!, at).catch(() => null);
        });
        // The first round warms up the JIT compiler.
        if (round > 0) costs.push(cost);
      }
      const each = (of: "cpu" | "wall") => round((median(costs.map((cost) => cost[of])) / calls) * 1000);
      figures[name] = { cpu: each("cpu"), wall: each("wall") };
    }
    await db.close();
    return figures;
  });
}

/** As many grants with a token each, and keys, as there are to be; @returns their secrets */
function fill(path: string, count: number) {
  const raw = new Database(path);
  raw.pragma("synchronous = OFF");
  const { account, person } = raw.prepare("SELECT account_id AS account, person_id AS person FROM members").get() as {
    account: string;
    person: string;
  };
  const key = raw.prepare(
    `INSERT INTO api_keys (id, account_id, person_id, hash, name, ending, scopes, created_at)
     VALUES (?, '${account}', '${person}', ?, 'bench', '1234', 'read index purchase', ${NOW})`,
  );
  const grant = raw.prepare(
    `INSERT INTO grants (id, account_id, person_id, kind, client_id, name, scopes, created_at)
     VALUES (?, '${account}', '${person}', 'oauth', 'bench', 'bench', 'read index purchase', ${NOW})`,
  );
  const token = raw.prepare(
    `INSERT INTO access_tokens (hash, grant_id, scopes, audience, expires_at)
     VALUES (?, ?, 'read index', '', ${NOW + DAY})`,
  );
  const keys: string[] = [];
  const tokens: string[] = [];
  raw.transaction(() => {
    for (let i = 0; i < count; i++) {
      const { secret, hash } = newSecret("access");
      grant.run(`grt_${i}`);
      token.run(hash, `grt_${i}`);
      tokens.push(secret);
      keys.push(`bk_live_${secret.slice(-32)}`);
      key.run(`key_${i}`, hashOf(keys.at(-1)!));
    }
  })();
  raw.pragma("wal_checkpoint(TRUNCATE)");
  raw.close();
  return { keys, tokens };
}
