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
  /** What the example does not show of its fields. */
  readonly fields: Readonly<Record<string, Unshown>>;
}

/** A field that may be null, or whose own names differ from event to event. */
type Unshown = "nullable" | "map";

type UnshownOf<Data> = {
  readonly [Name in keyof Data as null extends Data[Name]
    ? Name
    : string extends keyof Data[Name]
      ? Name
      : never]: null extends Data[Name] ? "nullable" : "map";
};

type Fields<Data> = [keyof UnshownOf<Data>] extends [never] ? unknown : { readonly fields: UnshownOf<Data> };

export function event<Data>(
  type: Pick<TypeOfEvent<Data>, "about" | "next" | "example"> &
    Partial<Pick<TypeOfEvent<Data>, "isPrivate" | "isMailed">> &
    Fields<Data>,
): TypeOfEvent<Data> {
  return { isPrivate: false, isMailed: false, fields: {}, ...type };
}
