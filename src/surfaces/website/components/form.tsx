import type { ComponentChildren, VNode } from "preact";

/** The request that shows a form: its CSRF token, and whether the role of who is signed in allows what the form does. */
export interface FormRequest {
  readonly csrfToken: string;
  readonly mayPost?: (action: string) => boolean;
}

interface FormProps {
  readonly request: FormRequest;
  readonly action: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly class?: string;
  /** By which buttons outside of it send it. */
  readonly id?: string;
  /** Attributes by which a script finds it. */
  readonly data?: Readonly<Record<`data-${string}`, string | number | null>>;
  /** It has a file. */
  readonly isMultipart?: boolean;
  /** Its answer opens in a new tab, so that this page stays. */
  readonly isNewTab?: boolean | undefined;
  /** A script shows it. */
  readonly isHidden?: boolean;
  readonly children?: ComponentChildren;
}

/** A form of this site, which is sent by POST with its CSRF token. Whose role would be refused gets a sentence in its place. */
export function Form(props: FormProps): VNode {
  const { request, action, hidden = {}, class: name, id, data, isMultipart, isNewTab, isHidden, children } = props;
  if (request.mayPost?.(action) === false) return <p class="hint">Your role in this account does not allow this.</p>;
  return (
    <form
      method="post"
      action={action}
      encType={isMultipart ? "multipart/form-data" : undefined}
      class={name}
      id={id}
      target={isNewTab ? "_blank" : undefined}
      hidden={isHidden}
      {...data}
    >
      {Object.entries({ token: request.csrfToken, ...hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
