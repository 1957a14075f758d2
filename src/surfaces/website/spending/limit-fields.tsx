import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import { FieldOf, type FormFields, type Typed } from "../shell/form-fields.tsx";

function credits(label: string) {
  return { kind: "line", label, preset: "", maxLength: 10, isOptional: true } as const;
}

/** The fields of a form that limit what a key, app or agent may spend; an empty one sets no limit. */
export const LIMIT_FIELDS = {
  per_call: credits("Limit per call"),
  per_day: credits("Limit per day"),
  per_month: credits("Limit per month"),
  total: credits("Limit in total"),
  approve_above: credits("Ask me above"),
} as const satisfies FormFields;

/** The fields for an app or agent, which has its end too. */
export const TERM_FIELDS = {
  ...LIMIT_FIELDS,
  last_day: {
    kind: "line",
    label: "Last day (optional)",
    preset: "",
    type: "date",
    maxLength: 254,
    isOptional: true,
    hint: "The last day (UTC) on which it may call. Leave it empty for no end.",
  },
} as const satisfies FormFields;

export type TypedLimits = Typed<typeof LIMIT_FIELDS>;
export type TypedTerms = Typed<typeof TERM_FIELDS>;

const LIMIT_NAMES = Object.keys(LIMIT_FIELDS) as (keyof TypedLimits)[];

/** What a form says whose limits are no numbers. */
export function limitProblem(most: number): string {
  return `Limits are whole numbers of credits from 0 to ${formatNumber(most)}, or empty for no limit.`;
}

interface LimitFieldsProps {
  /** What stands in the fields; an empty one sets no limit. */
  readonly values: TypedLimits | TypedTerms;
  /** Of a person, who needs no approval. */
  readonly isOfMember?: boolean;
}

export function LimitFields({ values, isOfMember = false }: LimitFieldsProps): VNode {
  return (
    <fieldset class="limits">
      <legend>Spending, in credits</legend>
      <p class="hint">
        Leave a field empty for no limit. Days and months are in UTC. Returned credits do not refill a limit, and buying
        credits is not limited.{" "}
        {isOfMember
          ? "They are for all that the member submits, also by apps and watches."
          : "A call above the last amount waits for your approval."}
      </p>
      <div class="grid">
        {LIMIT_NAMES.filter((name) => !isOfMember || name !== "approve_above").map((name) => (
          <FieldOf key={name} fields={LIMIT_FIELDS} name={name} typed={values} />
        ))}
      </div>
      {"last_day" in values && <FieldOf fields={TERM_FIELDS} name="last_day" typed={values} />}
    </fieldset>
  );
}
