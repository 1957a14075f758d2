/** Values from bounded sets, and numbers: they become labels. Nothing that a caller sent. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/** What is watched: a request, the call of an operation, a step of the checker, a transaction of the database. */
export type SpanKind = "request" | "call" | "step" | "transaction";

export interface NewSpan {
  readonly kind: SpanKind;
  readonly name: string;
  readonly facts: Facts;
  /** The span of somebody else's that this one belongs to, as the header `traceparent` has it (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** Adds what is known only later. */
export type Note = (facts: Facts) => void;

/** Sees what the service does, and how long it takes; changes nothing of it. Traces and metrics are made of this. */
export interface Watch {
  /** Does the work as one span, within the span that is open where it is called. */
  span<T>(span: NewSpan, work: (note: Note) => Promise<T>): Promise<T>;
}

/** Nobody watches. */
export const UNWATCHED: Watch = { span: (_, work) => work(() => undefined) };

/** One watch within another. */
export function bothWatch(outer: Watch, inner: Watch): Watch {
  return {
    span: (span, work) =>
      outer.span(span, (noteOuter) =>
        inner.span(span, (noteInner) =>
          work((facts) => {
            noteOuter(facts);
            noteInner(facts);
          }),
        ),
      ),
  };
}
