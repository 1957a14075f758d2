/** Numbers and money as users read them: in English, whatever language the machine is set to. */

const NUMBER = new Intl.NumberFormat("en-US");
const TENTHS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** "12,345" */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** "1 link", "2 links" */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** "$29.99" @param cents may have a fraction, which is rounded away */
export function formatDollars(cents: number): string {
  return DOLLARS.format(cents / 100);
}

/** "33.3%", "50%" @param whole above 0 */
export function formatPercent(part: number, whole: number): string {
  return PERCENT.format(part / whole);
}

/** "800 KB", "1.2 MB": in thousands, and KB rounded up */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${formatNumber(Math.ceil(bytes / 1_000))} KB`;
  return `${TENTHS.format(bytes / 1_000_000)} MB`;
}

/** "1.5 s" */
export function formatSeconds(ms: number): string {
  return `${TENTHS.format(ms / 1_000)} s`;
}

/** "1 day", "4.5 days" */
export function formatDays(days: number): string {
  const text = NUMBER.format(Math.round(days * 10) / 10);
  return `${text} day${text === "1" ? "" : "s"}`;
}

/** "2026-01-12 at 14:05 UTC" */
export function formatTime(at: number): string {
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10)} at ${text.slice(11, 16)} UTC`;
}

/** "$0.067": three decimals, or as many as show two digits of a smaller price. */
export function formatUnitPrice(dollars: number): string {
  const decimals = Math.min(8, Math.max(3, 1 - Math.floor(Math.log10(dollars))));
  return `$${dollars.toFixed(decimals)}`;
}
