import type { Mail } from "../mailer.ts";
import { htmlAddress, htmlList, htmlMail, htmlParagraph } from "./html.ts";

/**
 * A mail of paragraphs, as plain text and as HTML that says the same. A link is a paragraph of its own, so that it stays whole;
 * lines that begin with "- " are a list.
 */
export function message(to: string, subject: string, paragraphs: readonly string[]): Mail {
  const text = ["Hello,", ...paragraphs.map(wrapped), "Beckon"].join("\n\n");
  return { to, subject, text: `${text}\n`, html: htmlMail(subject, paragraphs.map(htmlOf)) };
}

function htmlOf(paragraph: string): string {
  if (/^https?:\/\/\S+$/.test(paragraph)) return htmlAddress(paragraph);
  const lines = paragraph.split("\n");
  return lines.every((line) => line.startsWith("- "))
    ? htmlList(lines.map((line) => line.slice(2)))
    : htmlParagraph(paragraph);
}

/** A paragraph in lines of at most 72 characters (RFC 5322 section 2.1.1); a link stays whole. */
export function wrapped(paragraph: string): string {
  return paragraph.replace(/(.{1,72})( |$)/g, (_all, line: string, end: string) => (end === "" ? line : `${line}\n`));
}
