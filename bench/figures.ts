/**
 * Input of the simulation of a year: measurements, each with the command that made it, on a machine of two cores that
 * PostgreSQL 18 and the nodes shared. Update them after a measurement, and run `npm run bench -- year`.
 */
export const MEASURED = {
  /** `npm run bench -- life 100000`: the whole life of a link, seven of ten found; per link. */
  life: {
    taken: "2026-11-22",
    command: "npm run bench -- life 100000",
    /** Steps done for 500 links. */
    steps: 6.5,
    checks: 2.6,
    checksThatFound: 1.4,
    cpuUs: { submissionNode: 2, submissionServer: 3.6, lifeNode: 54.6, lifeServer: 34 },
    walBytes: { submission: 240, life: 486.4 },
    bytes: { links: 186.3, index: 44.5, evidence: 5.1, urlSets: 9.4, ledger: 1.4 },
  },
  /** `npm run bench -- engines --large`: links looked up in a second by one process that shares the machine with PostgreSQL. */
  checker: { taken: "2026-11-22", command: "npm run bench -- engines --large", linksPerSecond: 126_681 },
  /** `npm run bench -- claims`: of a row of the queue with both indexes, at 200,000 of them. */
  queue: { taken: "2026-11-22", command: "npm run bench -- claims", bytesPerStep: 245 },
} as const;

/** Assumptions: nothing here is measured. */
export const ASSUMED = {
  links: 1_000_000_000,
  months: 12,
  /** Growth of the number of links from month to month, in per cent. */
  growthPercent: 0,
  /** Links in the busiest hour divided by those in the average hour. */
  peak: 4,
  /** Days a link is open: from its submission to its last check. */
  daysOpen: 14,
  /** An open link belongs to one step; a step of 500 is split when some of its links are found and others are not. */
  linksPerStep: 250,
  /** Highest planned load of the cores of a machine. */
  busy: 0.6,
  /** Of a base backup or a copy for moving, in bytes a second. */
  backupRate: 200e6,
  /** Days of write-ahead log that are kept, one base backup a week. */
  walDays: 14,
  /** Dollars for a credit in the largest pack. */
  credit: 149.99 / 3000,
} as const;

/** List prices as they stand in src/indexing/engines/live, in dollars. */
export const LIST_PRICES = {
  /** A link submitted to Google. */
  submit: { speedyindex: 0.0075, "rapid-url-indexer": 0.0453 },
  /** The price of a unit, and the units of a lookup whose first search finds the page, and of one that finds nothing. */
  lookup: {
    serper: { unit: 0.001, found: 1, nothing: 2 },
    dataforseo: { unit: 0.002, found: 1, nothing: 6 },
    serpapi: { unit: 0.015, found: 1, nothing: 2 },
  },
} as const;
