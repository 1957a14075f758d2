// Mail programs know little of HTML: styles are inline, columns are a table, and no picture is loaded from anywhere.

export const MAIL_COLORS = { ink: "#1c2024", soft: "#5b636b", line: "#d9dde1", accent: "#0b57d0", tint: "#f4f5f7" };
const COLOR = MAIL_COLORS;
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The style of a part of a mail: the space below it. */
export const PART_SPACE = "margin:0 0 16px";
const TEXT = "font-size:16px;line-height:1.5;overflow-wrap:anywhere";

/** A mail as HTML. @param parts HTML of its text, without its salutation @param footer HTML of what is below it, smaller */
export function htmlMail(subject: string, parts: readonly string[], footer: readonly string[] = []): string {
  const small = `margin:0 0 8px;font-size:13px;line-height:1.5;color:${COLOR.soft}`;
  const below = footer.map((line) => `<p style="${small}">${line}</p>\n`).join("");
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
${parts.join("\n")}
</div>
<div style="padding:16px 24px">
${below}</div>
</div>
</body>
</html>
`;
}

/** A paragraph of plain text. */
export function htmlParagraph(text: string): string {
  return `<p style="${PART_SPACE};${TEXT}">${escaped(text)}</p>`;
}

/** A list of plain texts. */
export function htmlList(items: readonly string[]): string {
  const rows = items.map((item) => `<li style="${TEXT}">${escaped(item)}</li>`).join("");
  return `<ul style="${PART_SPACE};padding-left:24px">${rows}</ul>`;
}

/** A link that shows where it leads. */
export function htmlAddress(url: string): string {
  return `<p style="${PART_SPACE};${TEXT}"><a href="${escaped(url)}" style="color:${COLOR.accent}">${escaped(url)}</a></p>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
