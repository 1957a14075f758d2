export const GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
export const OAI_SEARCHBOT = "Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)";

/** Addresses in the ranges that ship with the program. */
export const VERIFIED = { google: "66.249.66.1", oai: "20.42.10.177" } as const;

interface LogLine {
  readonly at: number;
  readonly path: string;
  readonly method?: string;
  readonly status?: number;
  readonly agent?: string;
  readonly address?: string;
  /** Default: `at` in UTC. */
  readonly time?: string;
}

/** A line of the combined format. By default Googlebot got the page. */
export function combined(line: LogLine): string {
  const { at, path, method = "GET", status = 200, agent = GOOGLEBOT, address = VERIFIED.google } = line;
  const { time = logTime(at, "+0000") } = line;
  return `${address} - - [${time}] "${method} ${path} HTTP/1.1" ${status} 5120 "-" "${agent}"`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** As a web server in a zone such as `+0930` writes it. */
export function logTime(at: number, zone: string): string {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  const local = new Date(at + (zone.startsWith("-") ? -minutes : minutes) * 60_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${two(local.getUTCDate())}/${MONTHS[local.getUTCMonth()]}/${local.getUTCFullYear()}`;
  return `${date}:${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())} ${zone}`;
}
