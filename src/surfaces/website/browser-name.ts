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

/** A User-Agent in words of our own, for a person to know their browsers apart: "Firefox on Linux". */
export function browserName(userAgent: string | undefined): string {
  const find = (among: typeof BROWSERS) => among.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const system = find(SYSTEMS);
  const browser = find(BROWSERS) ?? "A browser";
  return system ? `${browser} on ${system}` : browser;
}
