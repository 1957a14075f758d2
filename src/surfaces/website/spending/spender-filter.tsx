import type { VNode } from "preact";
import type { Reader } from "../../../../db/engine.ts";
import { credentialsOf } from "../../../domain/spending/credentials.ts";
import { type KnownSpender, knownSpenders } from "../../../domain/spending/known-spenders.ts";
import { OPERATOR, PERSON } from "../../../platform/principal.ts";
import { Button } from "../components/button.tsx";
import type { SignedInRequest } from "../shell/page-request.ts";

/** Name of the parameter, in the address of a page as in the operations that it shows. */
const PARAMETER = "credential_id";

/** The key, app or agent that the address asks for, and all that it may ask for. */
export interface SpenderQuery {
  readonly known: readonly KnownSpender[];
  /** One of `known`, PERSON, OPERATOR, or "" for anybody. */
  readonly chosen: string;
  /** The ids that rows of the choice name; null: rows of anybody. */
  readonly credentials: readonly string[] | null;
  /** What is wrong with the address, for a reader; null when nothing is. */
  readonly problem: string | null;
}

/** Reads the filter out of an address. Any connection of an app stands for all of them. */
export async function spenderQuery(db: Reader, request: SignedInRequest): Promise<SpenderQuery> {
  const { accountId } = request.session;
  const known = await knownSpenders(db, accountId);
  const wanted = request.query(PARAMETER);
  if (wanted === "") return { known, chosen: "", credentials: null, problem: null };
  const credentials = await credentialsOf(db, accountId, wanted);
  const choices = [PERSON, OPERATOR, ...known.map(({ id }) => id)];
  const chosen = choices.find((id) => credentials.includes(id));
  if (chosen !== undefined) return { known, chosen, credentials, problem: null };
  const problem = "Your account has no such key, app or agent; this shows the rows of all.";
  return { known, chosen: "", credentials: null, problem };
}

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
