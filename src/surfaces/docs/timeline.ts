import { createHash } from "node:crypto";
import { CHECK_DAYS } from "../../platform/check-days.ts";

/** The path of the picture that shows the timeline of a link. */
export const TIMELINE_PATH = "/life-of-a-link.svg";

export const TIMELINE_ALT = `The timeline of a URL: sent on day 0; first check on day ${CHECK_DAYS.first}, and sent again if Google has not indexed it; last check on day ${CHECK_DAYS.final}: indexed, or the credits are returned.`;

const STYLE =
  "text{font:16px system-ui,sans-serif;fill:#1c2024}.soft{fill:#5b636b;font-size:14px}.line{stroke:#5b636b;stroke-width:2;fill:none}.dot{fill:#0b57d0}.good{fill:#146c2e}.bad{fill:#b3261e}@media (prefers-color-scheme:dark){text{fill:#e6e8ea}.soft{fill:#a0a8b0}.line{stroke:#a0a8b0}.dot{fill:#8ab4f8}.good{fill:#8fd6a3}.bad{fill:#f2b8b5}}";

/** The content security policy of the picture when it is opened by itself: only its own style. */
export const TIMELINE_CSP = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'`;

/** An SVG that has no script and loads nothing. */
export const TIMELINE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 200" width="500" height="200" role="img" aria-labelledby="t">
<title id="t">${TIMELINE_ALT}</title>
<style>${STYLE}</style>
<path class="line" d="M20 75H345M345 75C375 75 365 35 395 35M345 75C375 75 365 125 395 125"/>
<circle class="dot" cx="20" cy="75" r="9"/><circle class="dot" cx="165" cy="75" r="9"/><circle class="dot" cx="310" cy="75" r="9"/>
<circle class="good" cx="395" cy="35" r="9"/><circle class="bad" cx="395" cy="125" r="9"/>
${words(11, 50, "Day 0", ["sent"])}
${words(156, 50, `Day ${CHECK_DAYS.first}`, ["first check;", "sent again if", "not indexed"])}
${words(290, 50, `Day ${CHECK_DAYS.final}`, ["last check"])}
<text x="412" y="40">indexed</text>
<text x="412" y="130">not found:</text><text x="412" y="151">credits</text><text x="412" y="172">returned</text>
</svg>
`;

/** A day of the timeline, with what happens on it below. */
function words(x: number, top: number, title: string, lines: readonly string[]): string {
  const rest = lines.map((line, i) => `<text class="soft" x="${x}" y="${110 + 20 * i}">${line}</text>`);
  return [`<text x="${x}" y="${top}">${title}</text>`, ...rest].join("");
}
