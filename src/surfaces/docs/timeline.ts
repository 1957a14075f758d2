import { createHash } from "node:crypto";
import { FINAL_DAY, FIRST_DAY } from "./key-figures.ts";

/** Where the picture of a link's life is served. */
export const TIMELINE_PATH = "/life-of-a-link.svg";

export const TIMELINE_ALT = `The life of a URL: sent on day 0; on day ${FIRST_DAY} a first look in Google, and it is sent once more if it is not there; on day ${FINAL_DAY} the last look: indexed, or the credits come back.`;

const STYLE =
  "text{font:16px system-ui,sans-serif;fill:#1c2024}.soft{fill:#5b636b;font-size:14px}.line{stroke:#5b636b;stroke-width:2;fill:none}.dot{fill:#0b57d0}.good{fill:#146c2e}.bad{fill:#b3261e}@media (prefers-color-scheme:dark){text{fill:#e6e8ea}.soft{fill:#a0a8b0}.line{stroke:#a0a8b0}.dot{fill:#8ab4f8}.good{fill:#8fd6a3}.bad{fill:#f2b8b5}}";

/** What it may do when it is opened by itself: show its one style. */
export const TIMELINE_CSP = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'`;

/** An SVG without script and without anything to load. */
export const TIMELINE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 200" width="500" height="200" role="img" aria-labelledby="t">
<title id="t">${TIMELINE_ALT}</title>
<style>${STYLE}</style>
<path class="line" d="M20 75H345M345 75C375 75 365 35 395 35M345 75C375 75 365 125 395 125"/>
<circle class="dot" cx="20" cy="75" r="9"/><circle class="dot" cx="165" cy="75" r="9"/><circle class="dot" cx="310" cy="75" r="9"/>
<circle class="good" cx="395" cy="35" r="9"/><circle class="bad" cx="395" cy="125" r="9"/>
${words(11, 50, "Day 0", ["sent"])}
${words(156, 50, `Day ${FIRST_DAY}`, ["first look;", "sent once more", "if it is not there"])}
${words(290, 50, `Day ${FINAL_DAY}`, ["last look"])}
<text x="412" y="40">indexed</text>
<text x="412" y="130">not there:</text><text x="412" y="151">credits</text><text x="412" y="172">come back</text>
</svg>
`;

/** A day of the line, with what happens on it below. */
function words(x: number, top: number, title: string, lines: readonly string[]): string {
  const rest = lines.map((line, i) => `<text class="soft" x="${x}" y="${110 + 20 * i}">${line}</text>`);
  return [`<text x="${x}" y="${top}">${title}</text>`, ...rest].join("");
}
