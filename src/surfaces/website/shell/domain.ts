import type { Engine } from "../../../../db/engine.ts";
import { principalOfSession, requireRole } from "../../../domain/credentials/may-act.ts";
import { isSecret, newSecret } from "../../../domain/credentials/secrets.ts";
import { countInbox, sumOf } from "../../../domain/inbox/count.ts";
import type { InboxTimes } from "../../../domain/inbox/waiting.ts";
import type { Mailer } from "../../../domain/mail/mailer.ts";
import type { Users } from "../../../domain/users/open-users.ts";
import { isRecent, type Session, SessionEnded } from "../../../domain/users/sessions.ts";
import type { Figures } from "./header.tsx";

/** What every page takes of the domain: who is signed in, what their role allows, and the figures of the header. */

export type { Mailer, Session, Users };
export { isRecent, isSecret, newSecret, principalOfSession, requireRole, SessionEnded };

/** What the header of the dashboard says of an account. */
export async function figuresOf(db: Engine, session: Session, times: InboxTimes): Promise<Figures> {
  const counts = await countInbox(db, session, times);
  return { credits: counts.credits, needs: sumOf(counts) };
}
