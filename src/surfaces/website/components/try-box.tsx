import type { VNode } from "preact";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "./button.tsx";
import { TextArea } from "./field.tsx";

interface TryBoxProps {
  /** Where it is sent. */
  readonly action: string;
  /** What was typed. */
  readonly value?: string;
  readonly problem?: string | null;
}

/** The form in which a stranger pastes pages. Its script keeps what is typed in the browser until it is submitted. */
export function TryBox({ action, value, problem }: TryBoxProps): VNode {
  return (
    <form method="post" action={action} class="try-box">
      <input type="hidden" name="kept" value="" />
      <input type="hidden" name="more" value="" />
      <TextArea
        name="urls"
        label={`Try it: paste up to ${SIZES.urlsPerTrial} URLs`}
        value={value}
        problem={problem}
        rows={5}
        hint="One per line, without an account. You see at once whether each page can be reached, and which crawlers its robots.txt and noindex keep out. Your browser keeps a longer list for later."
      />
      <Button sending="Reading your pages…">Try these pages</Button>
    </form>
  );
}
