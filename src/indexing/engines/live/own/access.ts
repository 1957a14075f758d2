import type { Engine } from "../../../../../db/engine.ts";
import { type ConnectionRow, connectionById, secretOf } from "../../../../domain/connections/connections.ts";
import { lookAt, recordFailing } from "../../../../domain/connections/properties.ts";
import { replaceSecret } from "../../../../domain/connections/save.ts";
import { MINUTE } from "../../../../platform/clock.ts";
import { SingleFlight } from "../../../../platform/concurrency.ts";
import { type SecretBox, Unsealable } from "../../../../platform/secret-box.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, type ConnectionAccess, notArrived } from "../api.ts";
import { refreshToken } from "./google-oauth.ts";

interface Token {
  readonly text: string;
  /** Real ms. */
  readonly until: number;
  /** The sealed secret that it was got by: a connection that was made again has another one. */
  readonly sealed: string;
}

/**
 * The own connections of accounts. Access tokens are kept in memory. Each use reads the connection, so that one that was ended
 * is used no more, whichever process ended it.
 */
export function connectionAccess(api: Api, { db, box }: { db: Engine; box: SecretBox }): ConnectionAccess {
  const tokens = new Map<string, Token>();
  const fetches = new SingleFlight<Token>();

  async function opened(id: string, provider: string): Promise<{ row: ConnectionRow; secret: string }> {
    const row = await connectionById(db, id);
    if (!row) throw refused(provider);
    try {
      return { row, secret: secretOf(box, row) };
    } catch (thrown) {
      if (thrown instanceof Unsealable) throw refused(provider);
      throw thrown;
    }
  }

  async function renew({ id, sealedSecret: sealed }: ConnectionRow, secret: string, provider: string): Promise<Token> {
    const token = await refreshToken(api, secret).catch((thrown) => failed(thrown, provider));
    if (token === null) {
      await db.tx((tx) => recordFailing(tx, id, "access_revoked", api.clock.now()));
      throw refused(provider);
    }
    const { text, until, replaced } = token;
    if (replaced !== null && replaced !== secret) await db.tx((tx) => replaceSecret(tx, box, id, replaced));
    const kept = { text, until, sealed };
    tokens.set(id, kept);
    return kept;
  }

  return {
    async token(id, provider) {
      const { row, secret } = await opened(id, provider);
      const known = tokens.get(id);
      if (known && known.sealed === row.sealedSecret && known.until - MINUTE > api.clock.now()) return known.text;
      return (await fetches.run(id, () => renew(row, secret, provider))).text;
    },
    forget(id, text) {
      if (tokens.get(id)?.text === text) tokens.delete(id);
    },
    async key(id, provider) {
      return (await opened(id, provider)).secret;
    },
    async lookSoon(id) {
      await db.tx((tx) => lookAt(tx, id, api.clock.now()));
    },
  };
}

/** The call was not made, since there is nothing to make it with. */
function refused(provider: string): UpstreamFailure {
  return new UpstreamFailure(provider, "unauthorized", { mayHaveArrived: false });
}

/** A failure of Google's token endpoint concerns this connection, for all that we know. */
function failed(thrown: unknown, provider: string): never {
  if (!(thrown instanceof UpstreamFailure)) throw thrown;
  const { kind, until } = thrown;
  return notArrived(new UpstreamFailure(provider, kind, { concerns: "credential", until }));
}
