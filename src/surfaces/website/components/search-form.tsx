import type { VNode } from "preact";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "./button.tsx";

interface SearchFormProps {
  /** What is searched, for screen readers: "Search the URLs of this project". */
  readonly label: string;
  /** The path of the list, with the id of the element to show afterwards. */
  readonly action: string;
  readonly search: string;
  /** The other parameters of the list: its filter, its order. */
  readonly query: Readonly<Record<string, string>>;
  /** Where the list stands without the search. */
  readonly clear: string;
}

/** A form that searches a list. It is sent by GET, so that the result has an address. */
export function SearchForm({ label, action, search, query, clear }: SearchFormProps): VNode {
  return (
    <form method="get" action={action} class="search">
      <input
        type="search"
        name="search"
        value={search}
        maxLength={SIZES.search}
        aria-label={label}
        placeholder={label}
      />
      {Object.entries(query).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button variant="quiet">Search</Button>
      {search !== "" && <a href={clear}>Show all</a>}
    </form>
  );
}
