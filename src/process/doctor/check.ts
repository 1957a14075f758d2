/** One thing looked at; `remedy` says what to do when it is not in order. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy?: string;
}
