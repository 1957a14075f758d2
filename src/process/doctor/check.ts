/** The result of one check. `remedy` says what to do if it failed. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy?: string;
}
