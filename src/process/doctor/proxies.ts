import { SECOND } from "../../platform/clock.ts";
import { type Config, originOf } from "../../platform/config/config.ts";
import { formatCount, formatNumber } from "../../platform/format.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { Check } from "./check.ts";

const NAME = "Proxies";
const PATIENCE_MS = 5 * SECOND;

/** TRUST_PROXY against what has arrived at the running service since its start, as its metrics say. */
export async function checkProxies(config: Config): Promise<Check> {
  if (config.port === 0) return { name: NAME, ok: true, found: "nothing has arrived: PORT is 0" };
  const headers: Record<string, string> = config.metricsToken ? { Authorization: `Bearer ${config.metricsToken}` } : {};
  const url = `${originOf(config.host, config.port)}/metrics`;
  const http = createHttpClient(config);
  const answer = await http.callApi({ method: "GET", url, headers, timeMs: PATIENCE_MS }).catch(() => null);
  await http.close();
  if (answer === null) return { name: NAME, ok: true, found: "nothing has arrived: the service is not running" };
  if (answer.status !== 200) {
    const remedy = "Set METRICS_TOKEN, with which this command reads from the service how requests arrive.";
    return { name: NAME, ok: false, severity: "warning", found: "what arrives cannot be read", remedy };
  }
  return proxyCheck(config.trustProxy, arrivedIn(answer.text));
}

/** How many requests have come through how many proxies; 3 stands for more. */
export type Arrived = ReadonlyMap<number, number>;

function arrivedIn(metrics: string): Arrived {
  const lines = metrics.matchAll(/^beckon_http_forwarded_total\{proxies="(\d)"\} (\d+)/gm);
  return new Map([...lines].map(([, proxies, count]) => [Number(proxies), Number(count)]));
}

/**
 * What the counts come to. A caller may forge more entries than there are proxies, and never fewer: the least number tells how
 * many there are.
 */
export function proxyCheck(trusted: number, arrived: Arrived): Check {
  const total = [...arrived.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return { name: NAME, ok: true, found: "no request has arrived yet" };
  const least = Math.min(...arrived.keys());
  const all = total === 1 ? "the only request" : `all ${formatNumber(total)} requests`;
  const came = `came through ${proxies(least)}`;
  if (least < Math.min(trusted, 3)) {
    const found = `${formatNumber(arrived.get(least)!)} of ${formatCount(total, "request")} ${came}, and TRUST_PROXY is ${trusted}: these callers choose the address by which they are limited`;
    const remedy = `Let nobody reach HOST and PORT but your proxies, or set TRUST_PROXY=${least}.`;
    return { name: NAME, ok: false, found, remedy };
  }
  if (least > trusted) {
    const found = `${all} ${came}, and TRUST_PROXY is ${trusted}: all callers share the limits of one address`;
    const remedy = `If these proxies are yours, set TRUST_PROXY=${least}; each has to add to X-Forwarded-For.`;
    return { name: NAME, ok: false, found, remedy };
  }
  return { name: NAME, ok: true, found: `${all} came through ${proxies(trusted)}, as TRUST_PROXY says` };
}

function proxies(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? "proxy" : "proxies"}`;
}
