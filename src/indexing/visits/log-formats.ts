import { isIP } from "node:net";
import { timeIn } from "./log-time.ts";

/** A request that a log tells of. */
export interface LogEntry {
  readonly at: number;
  /** Null where the log does not say it. */
  readonly host: string | null;
  readonly method: string;
  /** Path and query as they were sent, with `%` in place of `\x`; or a whole URL. */
  readonly target: string;
  readonly userAgent: string;
  /** Null where the log does not say it, or says a name. */
  readonly address: string | null;
  readonly status: number | null;
  /** An id by which a record that comes twice is known; null where the format has none. */
  readonly id: string | null;
}

/** Names of fields: one of an object in another one as `proxy.host`. The first that is there counts. */
type Names = readonly string[];

interface JsonFormat {
  /** A field that records of this format have, and no others. */
  readonly mark: string;
  readonly at: Names;
  readonly host: Names;
  readonly method: Names;
  /** `GET /path HTTP/1.1`, or only the path. */
  readonly target: Names;
  readonly userAgent: Names;
  readonly address: Names;
  readonly status: Names;
  readonly id: Names;
}

/** The formats of JSON, of which the first whose mark is in a record is taken. */
const JSON_FORMATS: Readonly<Record<string, JsonFormat>> = {
  // developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/
  cloudflare: {
    mark: "ClientRequestUserAgent",
    at: ["EdgeStartTimestamp", "EdgeEndTimestamp"],
    host: ["ClientRequestHost"],
    method: ["ClientRequestMethod"],
    target: ["ClientRequestURI", "ClientRequestPath"],
    userAgent: ["ClientRequestUserAgent"],
    address: ["ClientIP"],
    status: ["EdgeResponseStatus"],
    id: ["RayID"],
  },
  // vercel.com/docs/drains/reference/logs
  vercel: {
    mark: "proxy",
    at: ["proxy.timestamp", "timestamp"],
    host: ["proxy.host", "host"],
    method: ["proxy.method"],
    target: ["proxy.path"],
    userAgent: ["proxy.userAgent"],
    address: ["proxy.clientIp"],
    status: ["proxy.statusCode", "statusCode"],
    id: ["requestId"],
  },
  // caddyserver.com/docs/caddyfile/directives/log; the request of other formats is a text.
  caddy: {
    mark: "request.uri",
    at: ["ts"],
    host: ["request.host"],
    method: ["request.method"],
    target: ["request.uri"],
    userAgent: ["request.headers.User-Agent"],
    address: ["request.client_ip", "request.remote_ip"],
    status: ["status"],
    id: [],
  },
  // What our documents ask for, and the names of nginx.
  plain: {
    mark: "",
    at: ["time", "timestamp", "time_iso8601", "time_local", "msec", "ts"],
    host: ["host", "http_host"],
    method: ["method", "request_method"],
    target: ["url", "path", "request_uri", "uri", "request"],
    userAgent: ["agent", "user_agent", "http_user_agent", "userAgent"],
    address: ["ip", "remote_addr", "client_ip", "clientIp"],
    status: ["status", "status_code"],
    id: [],
  },
};

const FORMATS = Object.values(JSON_FORMATS);

/** The request of a record: a line of the combined format, or an object of JSON. Null: it is neither. */
export function entryIn(record: string): LogEntry | null {
  return record.startsWith("{") ? ofJson(record) : ofCombined(record);
}

function ofJson(record: string): LogEntry | null {
  let fields: unknown;
  try {
    fields = JSON.parse(record);
  } catch {
    return null;
  }
  const format = FORMATS.find(({ mark }) => mark === "" || valueAt(fields, mark) !== undefined)!;
  const text = (names: Names) => textOf(first(fields, names));
  const request = text(format.target);
  const at = timeIn(first(fields, format.at));
  if (request === null || at === null) return null;
  const [method, target] = requestIn(request) ?? [text(format.method) ?? "GET", request];
  const userAgent = text(format.userAgent) ?? "";
  return made(
    { at, host: text(format.host), method, target, userAgent, id: text(format.id) },
    text(format.address),
    text(format.status),
  );
}

function first(fields: unknown, names: Names): unknown {
  for (const name of names) {
    const value = valueAt(fields, name);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}

function valueAt(fields: unknown, name: string): unknown {
  let value = fields;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Of a list, as of the values of a header, the first counts. */
function textOf(value: unknown): string | null {
  const [one] = [value].flat();
  if (typeof one === "string") return one;
  return typeof one === "number" ? String(one) : null;
}

/** `[HOST ]ADDRESS IDENT USER [TIME] "REQUEST" STATUS BYTES "REFERER" "USER-AGENT" …`, as httpd.apache.org/docs/current/logs.html says. */
function ofCombined(line: string): LogEntry | null {
  const open = line.indexOf(" [");
  const close = line.indexOf('] "', open);
  if (open === -1 || close === -1) return null;
  const [one = "", other = ""] = line.slice(0, open).split(" ", 3);
  const hasHost = isIP(one) === 0 && isIP(other) !== 0;
  const at = timeIn(line.slice(open + 2, close));
  const request = quotedAt(line, close + 2);
  if (at === null || !request) return null;
  const [, status = ""] = line.slice(request.end, request.end + 8).split(" ");
  const referer = quotedAt(line, line.indexOf('"', request.end));
  const agent = referer && quotedAt(line, line.indexOf('"', referer.end));
  const [method, target] = requestIn(request.text) ?? [];
  if (!agent || method === undefined || target === undefined) return null;
  const about = { at, host: hasHost ? one : null, method, target, userAgent: agent.text, id: null };
  return made(about, hasHost ? other : one, status);
}

/** A text in quotation marks, in which a backslash stands before each mark. @param from where it begins */
function quotedAt(line: string, from: number): { text: string; end: number } | null {
  if (from < 0 || line[from] !== '"') return null;
  let end = from + 1;
  while (end < line.length && line[end] !== '"') end += line[end] === "\\" ? 2 : 1;
  return end < line.length ? { text: line.slice(from + 1, end), end: end + 1 } : null;
}

/** `GET /a path HTTP/1.1`: the path may have blanks in it. */
function requestIn(text: string): [method: string, target: string] | null {
  const end = text.lastIndexOf(" HTTP/");
  const space = text.indexOf(" ");
  if (space <= 0 || end <= space || !/^[A-Z]+$/.test(text.slice(0, space))) return null;
  return [text.slice(0, space), text.slice(space + 1, end)];
}

const ESCAPES: Readonly<Record<string, string>> = { '"': "%22", "\\": "%5C" };

function made(entry: Omit<LogEntry, "address" | "status">, address: string | null, status: string | null): LogEntry {
  // Servers write bytes that would disturb a line as \xHH.
  const target = entry.target
    .replace(/\\(?:x([0-9A-Fa-f]{2})|(["\\]))/g, (_, hex, mark) => (hex ? `%${hex}` : ESCAPES[mark]!))
    .replaceAll(" ", "%20");
  return {
    ...entry,
    target,
    address: address !== null && isIP(address) !== 0 ? address : null,
    status: status !== null && /^[1-5]\d\d$/.test(status) ? Number(status) : null,
  };
}
