import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import type { ListCount } from "../../../platform/lists/words.ts";

interface Props {
  readonly count: Pick<ListCount, "left" | "invalid">;
  /** The file that the lines stand in; null: they were typed. */
  readonly file?: string | null;
}

/** The first lines of a list that are no page addresses, each with the reason, and how many more there are. */
export function LeftOut({ count: { left, invalid }, file = null }: Props): VNode | null {
  if (left.length === 0) return null;
  return (
    <>
      <p>{`${file === null ? "" : `${file}: `}These lines were left out:`}</p>
      <ul class="lines">
        {left.map((text) => (
          <li key={text}>{text}</li>
        ))}
        {invalid > left.length && <li>and {formatNumber(invalid - left.length)} more</li>}
      </ul>
    </>
  );
}
