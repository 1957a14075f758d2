import type { Mail } from "../mail/mailer.ts";
import { wrapped } from "../users/mail-text.ts";

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

// Mail programs know little of HTML: styles are inline, columns are a table, and no picture is loaded from anywhere.
const COLOR = { ink: "#1c2024", soft: "#5b636b", line: "#d9dde1", accent: "#0b57d0", tint: "#f4f5f7" };
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function htmlOf({ subject, parts, footer, settings, unsubscribe }: Letter): string {
  const soft = `margin:0 0 8px;font-size:13px;line-height:1.5;color:${COLOR.soft}`;
  const link = (to: string, label: string) =>
    `<a href="${escaped(to)}" style="color:${COLOR.soft}">${escaped(label)}</a>`;
  const links = [link(settings, "Choose your notices"), ...(unsubscribe ? [link(unsubscribe, "Unsubscribe")] : [])];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:${COLOR.tint};color:${COLOR.ink};${FONT}">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 12px;font-size:15px;font-weight:600;color:${COLOR.soft}">Beckon</p>
<div style="padding:24px 24px 8px;background:#ffffff;border:1px solid ${COLOR.line};border-radius:8px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;overflow-wrap:anywhere">${escaped(subject)}</h1>
${parts.map(htmlPart).join("\n")}
</div>
<div style="padding:16px 24px">
<p style="${soft}">${escaped(footer)}</p>
<p style="${soft}">${links.join(" &middot; ")}</p>
</div>
</div>
</body>
</html>
`;
}

function htmlPart(part: LetterPart): string {
  const space = "margin:0 0 16px";
  if (typeof part === "string")
    return `<p style="${space};font-size:16px;line-height:1.5;overflow-wrap:anywhere">${escaped(part)}</p>`;
  if ("link" in part) {
    const style = `display:inline-block;padding:10px 18px;background:${COLOR.accent};color:#ffffff;border-radius:6px`;
    const button = `<a href="${escaped(part.link)}" style="${style};font-size:16px;text-decoration:none">${escaped(part.label)}</a>`;
    return `<p style="${space}">${button}</p>`;
  }
  const cell = `padding:6px 0;border-top:1px solid ${COLOR.line};font-size:16px;line-height:1.4`;
  const rows = part.facts.map(
    ([label, value]) =>
      `<tr><td style="${cell};color:${COLOR.soft};padding-right:16px;overflow-wrap:anywhere">${escaped(label)}</td>` +
      `<td style="${cell};text-align:right;white-space:nowrap">${escaped(value)}</td></tr>`,
  );
  return `<table role="presentation" cellspacing="0" cellpadding="0" style="${space};width:100%;border-collapse:collapse">
${rows.join("\n")}
</table>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
