/** What the peers of the benchmark of reads answer with: our own answers, taken from the running service. */
export interface Samples {
  readonly keys: readonly string[];
  /** The project of each key. */
  readonly projects: readonly string[];
  readonly answers: Readonly<Record<ReadName, Record<string, unknown>>>;
}

export type ReadName = keyof typeof READS;

/** The read whose answer counts requests, so that it is never the same and has no entity tag. */
export const UNTAGGED: ReadName = "get_account";

/** The reads that are measured, with their paths below `/api/v1`; `{project}` and `{link}` are the caller's own. */
export const READS = {
  get_account: "/account",
  get_pricing: "/pricing",
  get_project: "/projects/{project}",
  list_projects: "/projects",
  list_links: "/projects/{project}/links",
  get_link: "/projects/{project}/links/{link}",
} as const;

/** The position of the link of get_link in its project. */
export const POSITION = 7;
