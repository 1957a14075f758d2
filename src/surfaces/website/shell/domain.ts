import type { Engine } from "../../../../db/engine.ts";
import { countInbox, sumOf } from "../../../domain/inbox/count.ts";
import type { InboxTimes } from "../../../domain/inbox/waiting.ts";
import type { Session } from "../../../domain/users/sessions.ts";
import type { Figures } from "./header.tsx";

/** What the header of the dashboard says of an account. */
export async function figuresOf(db: Engine, session: Session, times: InboxTimes): Promise<Figures> {
  const counts = await countInbox(db, session, times);
  return { credits: counts.credits, needs: sumOf(counts) };
}
