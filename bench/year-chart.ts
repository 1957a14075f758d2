import { ASSUMED } from "./figures.ts";
import { monthsOfAYear } from "./year.ts";

const WIDTH = 720;
const HEIGHT = 360;
const LEFT = 60;
const BOTTOM = 50;
const TOP = 50;
const LAYERS = [
  { key: "rows", label: "rows of links", fill: "#2f5d8a" },
  { key: "index", label: "their index", fill: "#6f9fcb" },
  { key: "evidence", label: "evidence", fill: "#d98c3f" },
  { key: "others", label: "URL sets, ledger, queue", fill: "#9aa5ad" },
] as const;

/** The year's storage as a picture: a bar a month, its layers from the bottom. */
export function chartOfAYear(): string {
  const months = monthsOfAYear();
  const last = months.at(-1)!;
  const most = Math.ceil((last.rows + last.index + last.evidence + last.others) / 50e9) * 50e9;
  const height = (bytes: number) => (bytes / most) * (HEIGHT - TOP - BOTTOM);
  const step = (WIDTH - LEFT - 20) / months.length;
  const parts: string[] = [];
  for (let tick = 0; tick <= 5; tick++) {
    const bytes = (most * tick) / 5;
    const y = HEIGHT - BOTTOM - height(bytes);
    parts.push(`<line x1="${LEFT}" y1="${fix(y)}" x2="${WIDTH - 20}" y2="${fix(y)}" stroke="#d5dade"/>`);
    parts.push(`<text x="${LEFT - 8}" y="${fix(y + 4)}" text-anchor="end">${Math.round(bytes / 1e9)} GB</text>`);
  }
  for (const [at, month] of months.entries()) {
    let y = HEIGHT - BOTTOM;
    for (const { key, fill } of LAYERS) {
      const tall = height(month[key]);
      y -= tall;
      const x = LEFT + at * step + step * 0.15;
      parts.push(`<rect x="${fix(x)}" y="${fix(y)}" width="${fix(step * 0.7)}" height="${fix(tall)}" fill="${fill}"/>`);
    }
    parts.push(
      `<text x="${fix(LEFT + (at + 0.5) * step)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${month.month}</text>`,
    );
  }
  for (const [at, { label, fill }] of LAYERS.entries()) {
    const x = LEFT + at * 160;
    parts.push(`<rect x="${x}" y="${HEIGHT - 20}" width="12" height="12" fill="${fill}"/>`);
    parts.push(`<text x="${x + 18}" y="${HEIGHT - 10}">${label}</text>`);
  }
  const title = `PostgreSQL by month, ${ASSUMED.links.toLocaleString("en")} links in a year`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}" font-family="sans-serif" font-size="12" fill="#222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="26" font-size="15">${title}</text>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function fix(value: number): string {
  return value.toFixed(1);
}
