/** What the command line knows of an operation. */
export interface OperationFields {
  readonly title: string;
  readonly fields: Readonly<Record<string, Field>>;
}

export interface Field {
  /** What the text of an argument becomes. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The values that it may have; null: others too. */
  readonly values: readonly string[] | null;
  readonly about: string;
}
