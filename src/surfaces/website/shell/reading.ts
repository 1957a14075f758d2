import type { Engine } from "../../../../db/engine.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import type { Session } from "../../../domain/users/sessions.ts";
import type { Figures } from "./header.tsx";

/** What the header of the dashboard says of an account. */
export async function figuresOf(db: Engine, { accountId }: Session): Promise<Figures> {
  return { credits: await balanceOf(db, accountId), needs: 0 };
}
