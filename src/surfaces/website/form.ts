import { SCOPE_WORDS, SCOPES, type Scope } from "../../platform/principal.ts";
import { type Html, html } from "./html.ts";
import type { PageRequest } from "./page-request.ts";

/** A form of this site, with its CSRF token. */
export function form(request: Pick<PageRequest, "csrfToken">, action: string, body: Html): Html {
  return html`<form method="post" action="${action}">${hidden({ token: request.csrfToken })}${body}</form>`;
}

/** Hidden fields. */
export function hidden(values: Readonly<Record<string, string>>): Html {
  const inputs = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`${inputs}`;
}

export interface Input {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  readonly value?: string;
  /** What a browser may fill in (the HTML attribute autocomplete), or "off". */
  readonly autocomplete: string;
  readonly hint?: string;
  /** What is wrong with the value. */
  readonly problem?: string | null;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Shown in large letters, for a code that is copied from elsewhere by hand. */
  readonly isCode?: boolean;
  /** The value is shown and sent, but cannot be changed. */
  readonly isFixed?: boolean;
}

/** A password has no maximum length by default: a password that the browser cut would be another one. */
export function input(field: Input): Html {
  const { name, label, type = "text", value = "", autocomplete, hint, problem, minLength } = field;
  const { maxLength = type === "password" ? undefined : 254, isCode, isFixed } = field;
  const about = [hint ? `${name}-hint` : "", problem ? `${name}-problem` : ""].filter((id) => id !== "").join(" ");
  const more = [
    minLength === undefined ? html`` : html` minlength="${minLength}"`,
    maxLength === undefined ? html`` : html` maxlength="${maxLength}"`,
    isCode ? html` class="code"` : html``,
    isFixed ? html` readonly` : html``,
    about ? html` aria-describedby="${about}"` : html``,
    problem ? html` aria-invalid="true"` : html``,
  ];
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required autocapitalize="none" spellcheck="false"${more}>${
    problem ? html`<span class="problem" id="${name}-problem">${problem}</span>` : ""
  }${hint ? html`<span class="hint" id="${name}-hint">${hint}</span>` : ""}</div>`;
}

export function checkbox(field: { name: string; label: string; hint?: string; ticked?: boolean }): Html {
  const { name, label, hint, ticked = false } = field;
  return html`<label class="tick"><input type="checkbox" name="${name}" value="yes"${ticked ? html` checked` : ""}> <span>${label}${
    hint ? html` <span class="hint">${hint}</span>` : ""
  }</span></label>`;
}

export function button(label: string, options: { name?: string; value?: string; variant?: string } = {}): Html {
  const { name, value = "", variant = "" } = options;
  return html`<button type="submit"${name ? html` name="${name}" value="${value}"` : ""} class="${variant}">${label}</button>`;
}

/** A highlighted message; screen readers read it out at once. */
export function notice(text: string | Html, variant: "" | "bad" | "good" = ""): Html {
  return html`<p class="notice ${variant}" role="${variant === "bad" ? "alert" : "status"}">${text}</p>`;
}

/** Checkboxes by which scopes are granted; each is a field named `scope`. */
export function scopeCheckboxes(offered: readonly Scope[], ticked: readonly Scope[]): Html {
  const boxes = SCOPES.filter((scope) => offered.includes(scope)).map(
    (scope) =>
      html`<label class="tick${scope === "purchase" ? " costly" : ""}"><input type="checkbox" name="scope" value="${scope}"${
        ticked.includes(scope) ? html` checked` : ""
      }> <span><code>${scope}</code> ${SCOPE_WORDS[scope]}</span></label>\n`,
  );
  return html`<fieldset><legend>Permissions</legend>${boxes}</fieldset>`;
}
