import type { ComponentChildren, VNode } from "preact";

interface FormProps {
  readonly request: { readonly csrfToken: string };
  readonly action: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly class?: string;
  /** Attributes by which a script finds it. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  /** A script shows it. */
  readonly isHidden?: boolean;
  readonly children?: ComponentChildren;
}

/** A form of this site, which is sent by POST with its CSRF token. */
export function Form({ request, action, hidden = {}, class: name, data, isHidden, children }: FormProps): VNode {
  return (
    <form method="post" action={action} class={name} hidden={isHidden} {...data}>
      {Object.entries({ token: request.csrfToken, ...hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
