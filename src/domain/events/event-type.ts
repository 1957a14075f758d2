/** A type of event: what has happened, and what to do, in sentences of the documents, who is told, and an example of its `data`. */
export interface TypeOfEvent<Data> {
  readonly about: string;
  /** What an agent does that is told of it. It never spends without a person's yes. */
  readonly next: string;
  /** Only what the account's owner made is told of it. */
  readonly isPrivate: boolean;
  /** The owner is told by mail. */
  readonly isMailed: boolean;
  readonly example: Data;
}

export function event<Data>(
  type: Pick<TypeOfEvent<Data>, "about" | "next" | "example"> & Partial<TypeOfEvent<Data>>,
): TypeOfEvent<Data> {
  return { isPrivate: false, isMailed: false, ...type };
}
