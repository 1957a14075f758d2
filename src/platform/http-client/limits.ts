/** Limits of every fetch of the public web, in addition to the limits in its own options. Times in ms. */
export const HTTP_LIMITS = {
  /** Name, connection and TLS together. */
  connectMs: 5_000,
  /** From the request to the end of the headers. */
  headersMs: 10_000,
  headerBytes: 16 * 1024,
  /** A body is too slow when a window brings less than `windowBytes`; the first window is not checked. */
  windowMs: 10_000,
  windowBytes: 10 * 1024,
  /** Most bytes that one compressed byte may become, once there are more than `ratioFrom`. */
  ratio: 200,
  ratioFrom: 1024 * 1024,
  /** How long an idle connection is kept. */
  idleMs: 2_000,
} as const;

export type HttpLimits = { readonly [K in keyof typeof HTTP_LIMITS]: number };
