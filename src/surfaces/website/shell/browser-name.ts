const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\w*\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrom(?:e|ium)\/|\bHeadlessChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone|\biPad/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** The browser and system of a User-Agent, such as "Firefox on Linux", so that users can tell their browsers apart. */
export function browserName(userAgent: string | undefined): string {
  const find = (among: typeof BROWSERS) => among.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const system = find(SYSTEMS);
  const browser = find(BROWSERS) ?? "A browser";
  return system ? `${browser} on ${system}` : browser;
}
