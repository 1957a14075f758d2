import type { ComponentChildren, VNode } from "preact";

interface FormProps {
  readonly request: { readonly csrfToken: string };
  readonly action: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** A form of this site, which is sent by POST with its CSRF token. */
export function Form({ request, action, hidden = {}, class: name, children }: FormProps): VNode {
  return (
    <form method="post" action={action} class={name}>
      {Object.entries({ token: request.csrfToken, ...hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
