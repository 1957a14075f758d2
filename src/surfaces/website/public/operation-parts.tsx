import type { VNode } from "preact";
import type { AnswerField, ErrorList, ExampleAnswer, ExampleCall } from "../../docs/index.ts";
import { Tabs } from "../components/tabs.tsx";
import { RawHtml } from "../shell/raw-html.tsx";
import type { Highlight } from "./highlight.ts";
import { InlineMarkdown } from "./markdown.tsx";

/** The example of an operation, a tab for each way to call it. */
export function Calls({ calls, highlight }: { calls: readonly ExampleCall[]; highlight: Highlight }): VNode {
  const tabs = calls.map(({ id, title, introduction, language, code }) => ({
    id,
    title,
    content: (
      <>
        {introduction && (
          <p>
            <InlineMarkdown text={introduction} />
          </p>
        )}
        <pre data-copy>
          <RawHtml as="code" html={highlight(code, language)} />
        </pre>
      </>
    ),
  }));
  return <Tabs name="call" label="How the example is called" tabs={tabs} />;
}

/** The fields of every answer, and the recorded one, which scrolls if it is long. */
export function Answer({ answer, highlight }: { answer: ExampleAnswer; highlight: Highlight }): VNode {
  return (
    <div class="answer">
      <Fields fields={answer.fields} />
      <RawHtml html={scrolling(highlight(answer.text, "json"))} />
    </div>
  );
}

/** A block of code that scrolls if it is long, by the keyboard too. */
function scrolling(html: string): string {
  return `<div class="tall" data-copy><pre tabindex="0"><code>${html}</code></pre></div>`;
}

/** Fields; an object opens to show its own. */
function Fields({ fields }: { fields: readonly AnswerField[] }): VNode {
  return (
    <ul class="fields">
      {fields.map((field) => (
        <li key={field.name}>
          {field.fields.length === 0 ? (
            <FieldLine field={field} />
          ) : (
            <details>
              <summary>
                <FieldLine field={field} />
              </summary>
              <Fields fields={field.fields} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function FieldLine({ field: { name, type, meaning } }: { field: AnswerField }): VNode {
  return (
    <>
      <code>{name}</code>{" "}
      <span class="soft">
        <InlineMarkdown text={type} />
      </span>
      {meaning && (
        <>
          . <InlineMarkdown text={`${meaning}.`} />
        </>
      )}
    </>
  );
}

export function Errors({ errors }: Pick<ErrorList, "errors">): VNode {
  return (
    <ul class="errors">
      {errors.map(({ status, code, title }) => (
        <li key={code}>
          <a href={`/docs/errors/${code}`}>{code}</a> <span class="soft number">{status}</span>
          <p class="soft">{title}</p>
        </li>
      ))}
    </ul>
  );
}
