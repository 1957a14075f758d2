import type { VNode } from "preact";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "../components/button.tsx";
import { PATHS } from "../shell/addresses.ts";

/** How many tags a page offers; the others are typed. */
export const MOST_TAGS = 30;

interface TagFilterProps {
  /** The most used ones. */
  readonly tags: readonly string[];
  /** "": any. */
  readonly chosen: string;
  readonly others: Readonly<Record<string, string>>;
  readonly addressOf: (change: Readonly<Record<string, string>>) => string;
}

/** A form that shows the projects with one tag; nothing where no project has any. */
export function TagFilter({ tags, chosen, others, addressOf }: TagFilterProps): VNode | null {
  if (tags.length === 0 && chosen === "") return null;
  return (
    <form method="get" action={PATHS.projects} class="search tags">
      <label for="tag">Tag</label>
      <input type="search" id="tag" name="tag" value={chosen} maxLength={SIZES.tag} list="tags" autocomplete="off" />
      <datalist id="tags">
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {Object.entries(others)
        .filter(([name]) => name !== "tag")
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <Button variant="quiet">Show</Button>
      {chosen !== "" && <a href={addressOf({ tag: "" })}>All tags</a>}
    </form>
  );
}
