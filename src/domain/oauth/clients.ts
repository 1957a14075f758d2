import { eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { displayName } from "../../platform/display-name.ts";
import { newId } from "../../platform/ids.ts";
import { SCOPES, type Scope } from "../../platform/principal.ts";
import { cut } from "../../platform/text.ts";
import { scopesIn, scopeText } from "../credentials/scopes.ts";

/** An OAuth client, as it described itself: its name is not verified. */
export interface Client {
  /** `cli_…` for a registered client, otherwise the address of its metadata document. */
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** What it may request at most. */
  readonly scopes: readonly Scope[];
}

/**
 * The scopes that a client may request at most, by the `scope` of its metadata (RFC 7591 section 2). All of them if it names
 * none that exists.
 */
export function clientScopes(scope = ""): readonly Scope[] {
  const named = scopesIn(scope);
  return named.length > 0 ? named : SCOPES;
}

/**
 * The methods by which a client can prove itself at the token endpoint: the one that it prefers, and the ones in the list that
 * documents for several servers have (developers.openai.com/apps-sdk/build/auth). A client that names none is public.
 */
export function clientMethods({
  token_endpoint_auth_method: preferred,
  token_endpoint_auth_methods_supported: others,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [preferred ?? "none", others ?? []].flat();
}

/** A client's name, made safe to show; "An app" when nothing is left. */
export function clientName(text = ""): string {
  const name = displayName(text, Number.POSITIVE_INFINITY) ?? "";
  return cut(name, NAME_LENGTH).trim() || "An app";
}

/** Most code points of a name. */
const NAME_LENGTH = 120;

/** Registers a client (RFC 7591), whose metadata has been validated. */
export async function registerClient(
  tx: Tx,
  { now, ...metadata }: Omit<Client, "id"> & { now: number },
): Promise<Client> {
  const client = { id: newId("cli"), ...metadata };
  const { redirectUris, scopes } = client;
  const texts = { redirectUris: JSON.stringify(redirectUris), scopes: scopeText(scopes) };
  await tx.q.insert(tx.t.clients).values({ ...client, ...texts, createdAt: now });
  return client;
}

/** A registered client. */
export async function clientOf(db: Reader, id: string): Promise<Client | null> {
  const { clients } = db.t;
  const [row] = await db.q.select().from(clients).where(eq(clients.id, id));
  if (!row) return null;
  return { id, name: row.name, redirectUris: JSON.parse(row.redirectUris), scopes: clientScopes(row.scopes ?? "") };
}
