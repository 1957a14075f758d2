export const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

export interface Variant {
  readonly colorScheme: "light" | "dark";
  readonly size: keyof typeof SIZES;
}

/** Each colour scheme on each size of screen. */
export const VARIANTS: readonly Variant[] = [
  { colorScheme: "light", size: "desk" },
  { colorScheme: "dark", size: "desk" },
  { colorScheme: "light", size: "phone" },
  { colorScheme: "dark", size: "phone" },
];

/** A browser on a phone. */
export const PHONE = { viewport: SIZES.phone, isMobile: true, hasTouch: true } as const;
