/** Attributes of a span; they become labels. Values from bounded sets and numbers only, never what a caller sent. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** What a span covers: a request, the call of an operation, a step of the checker or a database transaction. */
export type SpanKind = "request" | "call" | "step" | "transaction";

export interface NewSpan {
  readonly kind: SpanKind;
  readonly name: string;
  readonly attributes: Attributes;
  /** The caller's span that this one is a child of: the header `traceparent` (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** Adds attributes that become known only while the span is open. */
export type SetAttributes = (attributes: Attributes) => void;

/** Records what the service does and how long it takes, and changes nothing of it. Traces and metrics are tracers. */
export interface Tracer {
  /** The kinds of spans that it records; what is not recorded need not be described. */
  readonly kinds: ReadonlySet<SpanKind>;
  /** Runs `work` as one span, a child of the span that is open where this is called. */
  span<T>(span: NewSpan, work: (setAttributes: SetAttributes) => Promise<T>): Promise<T>;
  /** Records a request that is over, without a span; absent where work inside of it has to find one. */
  recordRequest?(request: RequestAttributes, seconds: number): void;
}

/** The attributes of a request that is over. */
export interface RequestAttributes {
  /** How many proxies X-Forwarded-For names; 3 stands for more. */
  readonly proxies: number;
  readonly surface: string;
  /** `2xx` to `5xx`, or `aborted`. */
  readonly class: string;
}

/** A tracer that records nothing. */
export const NO_TRACER: Tracer = {
  kinds: new Set(),
  span: (_, work) => work(() => undefined),
  recordRequest: () => undefined,
};

/** A tracer that records every span in both; the inner one's span is open within the outer one's. */
export function bothTracers(outer: Tracer, inner: Tracer): Tracer {
  return {
    kinds: new Set([...outer.kinds, ...inner.kinds]),
    span: (span, work) =>
      outer.span(span, (setOuter) =>
        inner.span(span, (setInner) =>
          work((attributes) => {
            setOuter(attributes);
            setInner(attributes);
          }),
        ),
      ),
  };
}
