/** Largest request bodies in bytes (docs/rules.md rule 14). */
export const BODIES = {
  submission: 84 * 1024 * 1024,
  anonymousEstimate: 4 * 1024 * 1024,
  other: 256 * 1024,
  /** An access log, as it is sent and unpacked. */
  log: 4 * 1024 * 1024,
  logUnpacked: 64 * 1024 * 1024,
  /** A call of a publish hook: a CMS sends the whole post, twice. */
  hook: 1024 * 1024,
  form: 32 * 1024,
  /** A form with a list of URLs, or a file of them. */
  listForm: 2 * 1024 * 1024,
  listFormsAtOnce: 4,
  /** A process reads at most `largeAtOnce` bodies over this size at once. */
  large: 1024 * 1024,
  largeAtOnce: 2,
  /** From this size on, a list of URLs is read on the thread for large calls. */
  inline: 64 * 1024,
} as const;

/** The most that a JSON document may hold: twice a list of 20,000 URLs, and fields of any operation. */
export const JSON_BOUNDS = { depth: 64, values: 40_000, members: 4_000, nameBytes: 1_024 } as const;
