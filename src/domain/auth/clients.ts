import { eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { newId } from "../../platform/ids.ts";
import { cut } from "../../platform/text.ts";
import { displayName } from "./display-name.ts";

/** An app, as it described itself: nobody has checked who it is. */
export interface Client {
  /** Of our making, or the address of the document that describes it. */
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** What an app calls itself, fit to be shown. */
export function clientName(text = ""): string {
  const name = displayName(text, Number.POSITIVE_INFINITY) ?? "";
  return cut(name, NAME).trim() || "An app";
}

/** Most code points of a name. */
const NAME = 120;

/** Registers an app (RFC 7591). What it is given was checked. */
export async function registerClient(
  tx: Tx,
  { name, redirectUris, now }: { name: string; redirectUris: readonly string[]; now: number },
): Promise<Client> {
  const client = { id: newId("cli"), name, redirectUris };
  await tx.q.insert(tx.t.clients).values({ ...client, redirectUris: JSON.stringify(redirectUris), createdAt: now });
  return client;
}

/** An app that registered itself. */
export async function clientOf(db: Reader, id: string): Promise<Client | null> {
  const { clients } = db.t;
  const [row] = await db.q.select().from(clients).where(eq(clients.id, id));
  return row ? { id, name: row.name, redirectUris: JSON.parse(row.redirectUris) } : null;
}
