import { type ComponentChildren, Fragment, type VNode } from "preact";

interface TabsProps {
  /** The name of the choice, by which the script of the docs remembers it. */
  readonly name: string;
  /** What is chosen, for screen readers: "Language of the example". */
  readonly label: string;
  /** At most six. */
  readonly tabs: readonly Tab[];
}

export interface Tab {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  readonly content: ComponentChildren;
}

/** Contents that are shown one at a time: radio buttons, so that they work without a script and by the arrow keys. */
export function Tabs({ name, label, tabs }: TabsProps): VNode {
  return (
    <fieldset class="tabs" data-tabs>
      <legend class="visually-hidden">{label}</legend>
      {tabs.map(({ id, title }, at) => (
        <Fragment key={id}>
          <input type="radio" name={name} id={`${name}-${id}`} value={id} checked={at === 0} />
          <label for={`${name}-${id}`}>{title}</label>
        </Fragment>
      ))}
      {tabs.map(({ id, content }) => (
        <div key={id} class="tab" id={id}>
          {content}
        </div>
      ))}
    </fieldset>
  );
}
