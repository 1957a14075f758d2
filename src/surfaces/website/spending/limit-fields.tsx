import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import { TextField } from "../components/field.tsx";

/** The fields of a form that limit what a key, app or agent may spend, as they were typed. */
export interface TypedLimits {
  readonly per_call: string;
  readonly per_day: string;
  readonly per_month: string;
  readonly total: string;
  readonly approve_above: string;
}

/** Those of an app or agent, which have its end too. */
export interface TypedTerms extends TypedLimits {
  /** YYYY-MM-DD, or "". */
  readonly last_day: string;
}

/** The fields in their order, with their words. */
export const LIMIT_LABELS: Readonly<Record<keyof TypedLimits, string>> = {
  per_call: "At most in one call",
  per_day: "At most in a day",
  per_month: "At most in a month",
  total: "At most in all",
  approve_above: "Ask me above",
};

export const LIMIT_FIELDS = Object.keys(LIMIT_LABELS) as (keyof TypedLimits)[];

/** What a form says whose limits are no numbers. */
export function limitProblem(most: number): string {
  return `Limits are whole numbers of credits from 0 to ${formatNumber(most)}, or empty for no limit.`;
}

/** @param values what stands in the fields; an empty one sets no limit */
export function LimitFields({ values }: { values: TypedLimits | TypedTerms }): VNode {
  return (
    <fieldset class="limits">
      <legend>Spending, in credits</legend>
      <p class="hint">
        Empty is no limit. Days and months are those of UTC. Credits that come back do not refill a limit, and buying
        credits is not limited. A call above the last amount waits for your yes.
      </p>
      <div class="grid">
        {LIMIT_FIELDS.map((name) => (
          <TextField
            key={name}
            name={name}
            label={LIMIT_LABELS[name]}
            value={values[name]}
            autocomplete="off"
            maxLength={10}
            isOptional
          />
        ))}
      </div>
      {"last_day" in values && (
        <TextField
          name="last_day"
          label="Last day (optional)"
          type="date"
          value={values.last_day}
          autocomplete="off"
          isOptional
          hint="It is refused once this day is over in UTC. Empty: until you disconnect it."
        />
      )}
    </fieldset>
  );
}
