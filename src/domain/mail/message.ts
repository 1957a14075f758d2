import MimeNode from "nodemailer/lib/mime-node";
import { oneLine } from "../../platform/text.ts";
import { normaliseEmail } from "../people/email.ts";
import { MailFailure } from "./failure.ts";
import type { QueuedMail } from "./mailer.ts";

/** A message (RFC 5322) and its envelope: the sender and recipient that the transport is given. */
export interface Message {
  readonly raw: Buffer;
  readonly envelope: { readonly from: string; readonly to: string };
}

/**
 * Encodes a mail. The recipient's address is not parsed again, and the subject is one line, so that neither can add a
 * header or a second recipient.
 * @throws MailFailure when the recipient is not a normalised address
 */
export async function messageOf(mail: QueuedMail, from: string): Promise<Message> {
  const { id, to, subject, text, html, unsubscribe } = mail;
  if (normaliseEmail(to) !== to) throw new MailFailure("The recipient is not an e-mail address.", "recipient", true);
  const node = new MimeNode(html === undefined ? PLAIN : "multipart/alternative", NO_ACCESS);
  const envelope = { from: node.setHeader("From", from).getEnvelope().from || "", to };
  node.setHeader({
    To: { name: "", address: to },
    Subject: oneLine(subject),
    "Message-ID": `<${id}@${envelope.from.split("@")[1] ?? "localhost"}>`,
    // Tells automatic responders not to answer (RFC 3834 section 5).
    "Auto-Submitted": "auto-generated",
    ...(unsubscribe === undefined ? {} : unsubscribeHeaders(unsubscribe)),
  });
  if (html !== undefined) {
    // The last part is the one that programs prefer (RFC 2046 section 5.1.4).
    const plain = node.createChild(PLAIN, NO_ACCESS);
    if (isSimple(text)) plain.setRaw(`Content-Type: ${PLAIN}\r\n${AS_IT_IS}\r\n\r\n${withLineEnds(text)}`);
    else plain.setContent(text);
    node.createChild("text/html; charset=utf-8", NO_ACCESS).setContent(html);
    return { envelope, raw: await node.build() };
  }
  if (!isSimple(text)) return { envelope, raw: await node.setContent(text).build() };
  node.setHeader("Content-Transfer-Encoding", "7bit");
  return { envelope, raw: Buffer.from(`${node.buildHeaders()}\r\n\r\n${withLineEnds(text)}`) };
}

/** Without an encoding: nodemailer would break long lines, and a link in an .eml file could not be opened. */
const AS_IT_IS = "Content-Transfer-Encoding: 7bit";

function withLineEnds(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

const PLAIN = "text/plain; charset=utf-8";
const NO_ACCESS = { disableFileAccess: true, disableUrlAccess: true };

/** RFC 2369 section 3.2, and RFC 8058 section 3.1: by a POST to the address, which nothing that only opens links sends. */
function unsubscribeHeaders(address: string): Record<string, string> {
  return { "List-Unsubscribe": `<${address}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** Whether a text may be sent without an encoding: ASCII, in lines of up to 998 characters (RFC 5322 section 2.1.1). */
function isSimple(text: string): boolean {
  return /^[\t\r\n\x20-\x7e]*$/.test(text) && text.split(/\r\n?|\n/).every((line) => line.length <= 998);
}
