import MimeNode from "nodemailer/lib/mime-node";
import { normaliseEmail } from "../accounts/email.ts";
import { MailFailure } from "./failure.ts";
import type { Mail } from "./mailer.ts";

/** A message (RFC 5322), and whom its transport is told that it is from and for. */
export interface Message {
  readonly raw: Buffer;
  readonly envelope: { readonly from: string; readonly to: string };
}

/**
 * Writes a mail out. One recipient, whose address is not parsed again, and a subject of one line, so that neither can
 * add a header or a second recipient.
 * @throws MailFailure when the recipient is no normalised address
 */
export async function messageOf({ to, subject, text }: Mail, from: string): Promise<Message> {
  if (normaliseEmail(to) !== to) throw new MailFailure("The recipient is no address.", "recipient", true);
  const node = new MimeNode("text/plain; charset=utf-8", { disableFileAccess: true, disableUrlAccess: true });
  node.setHeader({
    From: from,
    To: { name: "", address: to },
    Subject: oneLine(subject),
    // Nobody's holiday note is to answer it (RFC 3834 section 5).
    "Auto-Submitted": "auto-generated",
  });
  const envelope = { from: node.getEnvelope().from || "", to };
  if (!isSimple(text)) return { envelope, raw: await node.setContent(text).build() };
  // As it is: nodemailer would break long lines, and whoever reads the file itself could not follow the link.
  node.setHeader("Content-Transfer-Encoding", "7bit");
  return { envelope, raw: Buffer.from(`${node.buildHeaders()}\r\n\r\n${text.replace(/\r\n?|\n/g, "\r\n")}`) };
}

/** Without anything that could end a line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** Whether it may be sent as it is: ASCII, in lines of up to 998 characters (RFC 5322 section 2.1.1). */
function isSimple(text: string): boolean {
  return /^[\t\r\n\x20-\x7e]*$/.test(text) && text.split(/\r\n?|\n/).every((line) => line.length <= 998);
}
