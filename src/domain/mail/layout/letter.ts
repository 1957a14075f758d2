import type { Mail } from "../mailer.ts";
import { escaped, htmlMail, htmlParagraph, MAIL_COLORS, PART_SPACE } from "./html.ts";
import { wrapped } from "./plain.ts";

/** A part of a letter: a paragraph, facts with their labels, or a link. */
export type LetterPart =
  | string
  | { readonly facts: readonly (readonly [label: string, value: string])[] }
  | { readonly link: string; readonly label: string };

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly parts: readonly LetterPart[];
  /** Where such mails can be switched off by one click; absent: they cannot. */
  readonly unsubscribe?: string;
  /** Why it was sent, and where that can be changed. */
  readonly footer: string;
  readonly settings: string;
}

/** Writes a letter as plain text and as HTML that says the same. */
export function mailOf(letter: Letter): Mail {
  const { to, subject, unsubscribe } = letter;
  return { to, subject, text: textOf(letter), html: htmlOf(letter), ...(unsubscribe ? { unsubscribe } : {}) };
}

function textOf({ parts, footer, settings, unsubscribe }: Letter): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") return wrapped(part);
    if ("link" in part) return `${part.label}:\n${part.link}`;
    return factsText(part.facts);
  });
  const links = [`Choose your notices:\n${settings}`, ...(unsubscribe ? [`Unsubscribe:\n${unsubscribe}`] : [])];
  // Programs take what follows this line for a signature (RFC 3676 section 4.3).
  const end = ["Beckon\n\n-- ", wrapped(footer), ...links].join("\n\n").replace("-- \n\n", "-- \n");
  return `${["Hello,", ...texts, end].join("\n\n")}\n`;
}

/** Short labels stand in a column of their own, long ones on a line with their value. */
function factsText(facts: readonly (readonly [label: string, value: string])[]): string {
  const longest = Math.max(...facts.map(([label]) => label.length));
  if (longest > COLUMN) return facts.map(([label, value]) => `- ${label}: ${value}`).join("\n");
  return facts.map(([label, value]) => `${`${label}:`.padEnd(longest + 1)}  ${value}`).join("\n");
}

/** Characters of the longest label that stands in a column. */
const COLUMN = 20;

function htmlOf({ subject, parts, footer, settings, unsubscribe }: Letter): string {
  const link = (to: string, label: string) =>
    `<a href="${escaped(to)}" style="color:${MAIL_COLORS.soft}">${escaped(label)}</a>`;
  const links = [link(settings, "Choose your notices"), ...(unsubscribe ? [link(unsubscribe, "Unsubscribe")] : [])];
  return htmlMail(subject, parts.map(htmlPart), [escaped(footer), links.join(" &middot; ")]);
}

function htmlPart(part: LetterPart): string {
  if (typeof part === "string") return htmlParagraph(part);
  const { accent, line, soft } = MAIL_COLORS;
  if ("link" in part) {
    const style = `display:inline-block;padding:10px 18px;background:${accent};color:#ffffff;border-radius:6px`;
    const button = `<a href="${escaped(part.link)}" style="${style};font-size:16px;text-decoration:none">${escaped(part.label)}</a>`;
    return `<p style="${PART_SPACE}">${button}</p>`;
  }
  const cell = `padding:6px 0;border-top:1px solid ${line};font-size:16px;line-height:1.4`;
  const rows = part.facts.map(
    ([label, value]) =>
      `<tr><td style="${cell};color:${soft};padding-right:16px;overflow-wrap:anywhere">${escaped(label)}</td>` +
      `<td style="${cell};text-align:right;white-space:nowrap">${escaped(value)}</td></tr>`,
  );
  return `<table role="presentation" cellspacing="0" cellpadding="0" style="${PART_SPACE};width:100%;border-collapse:collapse">
${rows.join("\n")}
</table>`;
}
