import type { ComponentChildren, JSX, VNode } from "preact";
import { SCOPE_WORDS, SCOPES, type Scope } from "../../../platform/principal.ts";

interface FieldProps {
  readonly name: string;
  /** Where a page has several fields of this name; by default the name. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value. */
  readonly problem?: string | null | undefined;
}

interface TextFieldProps extends FieldProps {
  readonly type?: "text" | "email" | "password" | "search" | "number" | "url" | "date";
  readonly value?: string | undefined;
  /** What a browser may fill in (the HTML attribute autocomplete), or "off". */
  readonly autocomplete: string;
  readonly minLength?: number | undefined;
  /** By default 254. A password has no maximum: cut by the browser, it would be another password. */
  readonly maxLength?: number | undefined;
  /** Shown in large letters, for a code that is copied from elsewhere by hand. */
  readonly isCode?: boolean | undefined;
  /** The value is shown and sent, but cannot be changed. */
  readonly isFixed?: boolean | undefined;
  /** The form can be sent without it. */
  readonly isOptional?: boolean | undefined;
}

/** A field of one line, with its label, a hint, and what is wrong with its value. */
export function TextField(field: TextFieldProps): VNode {
  const { name, id = name, label, hint, problem, type = "text", value = "", autocomplete, minLength } = field;
  const { isCode, isFixed } = field;
  const { maxLength = type === "password" ? undefined : 254, isOptional = false } = field;
  const attributes = {
    ...{ id, name, type, value, autocomplete, minLength, maxLength },
    ...{ autocapitalize: "none", spellcheck: false, required: !isOptional, readOnly: isFixed },
    class: isCode ? "code" : undefined,
    ...describedBy(field),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* The types of Preact know an input of one constant type only. */}
      <input {...(attributes as JSX.IntrinsicElements["input"])} />
      <About {...{ name, hint, problem }} />
    </div>
  );
}

interface TextAreaProps extends FieldProps {
  readonly value?: string | undefined;
  readonly rows?: number;
}

/** A field of many lines. */
export function TextArea(field: TextAreaProps): VNode {
  const { name, label, hint, problem, value = "", rows = 10 } = field;
  return (
    <div class="field long">
      <label for={name}>{label}</label>
      <textarea id={name} name={name} rows={rows} spellcheck={false} autocapitalize="none" {...describedBy(field)}>
        {value}
      </textarea>
      <About {...{ name, hint, problem }} />
    </div>
  );
}

interface ChoiceProps {
  readonly type: "checkbox" | "radio";
  readonly name: string;
  readonly value?: string;
  readonly isTicked: boolean;
  readonly hint?: ComponentChildren;
  /** It costs money or cannot be undone. */
  readonly isCostly?: boolean;
  readonly children: ComponentChildren;
}

/** A checkbox or a radio button with its label. */
export function Choice({ type, name, value = "yes", isTicked, hint, isCostly, children }: ChoiceProps): VNode {
  return (
    <label class={isCostly ? "tick costly" : "tick"}>
      <input type={type} name={name} value={value} checked={isTicked} />{" "}
      <span>
        {children}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}

/** Checkboxes by which scopes are granted; each is a field named `scope`. */
export function ScopeChoices({ offered, ticked }: { offered: readonly Scope[]; ticked: readonly Scope[] }): VNode {
  return (
    <fieldset>
      <legend>Permissions</legend>
      {SCOPES.filter((scope) => offered.includes(scope)).map((scope) => (
        <Choice
          key={scope}
          type="checkbox"
          name="scope"
          value={scope}
          isTicked={ticked.includes(scope)}
          isCostly={scope === "purchase"}
        >
          <code>{scope}</code> {SCOPE_WORDS[scope]}
        </Choice>
      ))}
    </fieldset>
  );
}

function About({ name, hint, problem }: Pick<FieldProps, "name" | "hint" | "problem">): VNode {
  return (
    <>
      {problem && (
        <span class="problem" id={`${name}-problem`}>
          {problem}
        </span>
      )}
      {hint && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
    </>
  );
}

/** What screen readers say about a field. */
function describedBy({ name, hint, problem }: FieldProps) {
  const about = [hint ? `${name}-hint` : "", problem ? `${name}-problem` : ""].filter((id) => id !== "").join(" ");
  return {
    "aria-describedby": about === "" ? undefined : about,
    "aria-invalid": problem ? ("true" as const) : undefined,
  };
}
