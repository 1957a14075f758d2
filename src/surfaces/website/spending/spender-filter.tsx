import type { VNode } from "preact";
import { OPERATOR, PERSON } from "../../../platform/principal.ts";
import { Button } from "../components/button.tsx";
import { PARAMETER, type SpenderQuery } from "./domain.ts";

/** The filter as parameters of an address. */
export function spenderParameter(chosen: string): Record<string, string> {
  return chosen === "" ? {} : { [PARAMETER]: chosen };
}

interface SpenderFilterProps {
  readonly query: SpenderQuery;
  /** The path of the list. */
  readonly action: string;
  /** The parameters of the list; the filter replaces its own. */
  readonly others?: Readonly<Record<string, string>>;
}

/** A form that chooses whose rows a list shows; nothing for an account that has no key, app or agent. */
export function SpenderFilter({ query: { known, chosen }, action, others = {} }: SpenderFilterProps): VNode | null {
  if (known.length === 0) return null;
  const option = (value: string, label: string) => (
    <option key={value} value={value} selected={value === chosen}>
      {label}
    </option>
  );
  return (
    <form method="get" action={action} class="search">
      <label for="spender">By</label>
      <select id="spender" name={PARAMETER}>
        {option("", "anybody")}
        {option(PERSON, "people at this website")}
        {option(OPERATOR, "the operator")}
        {known.map(({ id, kind, name, isGone }) => option(id, `${name} (${isGone ? ENDED[kind] : kind})`))}
      </select>
      {Object.entries(others)
        .filter(([name]) => name !== PARAMETER)
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <Button variant="quiet">Show</Button>
    </form>
  );
}

const ENDED = { key: "revoked key", app: "app, disconnected", agent: "agent, disconnected" } as const;
