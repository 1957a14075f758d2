import { eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { newId } from "../../platform/ids.ts";
import { cut } from "../../platform/text.ts";
import { displayName } from "./display-name.ts";

/** An OAuth client, as it described itself: its name is not verified. */
export interface Client {
  /** `cli_…` for a registered client, otherwise the address of its metadata document. */
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
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
  { name, redirectUris, now }: { name: string; redirectUris: readonly string[]; now: number },
): Promise<Client> {
  const client = { id: newId("cli"), name, redirectUris };
  await tx.q.insert(tx.t.clients).values({ ...client, redirectUris: JSON.stringify(redirectUris), createdAt: now });
  return client;
}

/** A registered client. */
export async function clientOf(db: Reader, id: string): Promise<Client | null> {
  const { clients } = db.t;
  const [row] = await db.q.select().from(clients).where(eq(clients.id, id));
  return row ? { id, name: row.name, redirectUris: JSON.parse(row.redirectUris) } : null;
}
