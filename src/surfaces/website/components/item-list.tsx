import type { ComponentChildren, VNode } from "preact";
import { Button } from "./button.tsx";
import { Form, type FormRequest } from "./form.tsx";

/** A short list of things with an action each. */
export function ItemList({ children }: { children: ComponentChildren }): VNode {
  return <ul class="items">{children}</ul>;
}

interface ItemProps {
  readonly title: ComponentChildren;
  readonly facts: readonly ComponentChildren[];
  /** The action. */
  readonly children?: ComponentChildren;
}

export function Item({ title, facts, children }: ItemProps): VNode {
  return (
    <li>
      <h3>{title}</h3>
      {facts.map((fact, at) => (
        <div key={at}>{fact}</div>
      ))}
      {children}
    </li>
  );
}

interface ConfirmedActionProps {
  readonly request: FormRequest;
  /** The text that opens the confirmation, such as "Revoke". */
  readonly label: string;
  /** What the action will do. */
  readonly warning: ComponentChildren;
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** The label of the button: the action and its object. */
  readonly button: string;
}

/** An action that cannot be undone, which has to be confirmed on the same page, without a script; nothing for whose role would be refused. */
export function ConfirmedAction(props: ConfirmedActionProps): VNode | null {
  const { request, label, warning, action, hidden = {}, button } = props;
  if (request.mayPost?.(action) === false) return null;
  return (
    <details class="risky">
      <summary>{label}</summary>
      <p>{warning}</p>
      <Form request={request} action={action} hidden={hidden}>
        <Button variant="bad small">{button}</Button>
      </Form>
    </details>
  );
}
