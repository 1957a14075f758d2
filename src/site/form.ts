import { SCOPES, type Scope } from "../context.ts";
import { type Html, html } from "./html.ts";
import type { Visit } from "./visit.ts";

/** A form of this site: it carries what proves that a page of ours sent it. */
export function form(visit: Pick<Visit, "formToken">, action: string, body: Html): Html {
  return html`<form method="post" action="${action}">${hidden({ token: visit.formToken })}${body}</form>`;
}

/** Values that go along. */
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
  /** What a browser may fill in (HTML, autocomplete); "off" where it must not. */
  readonly autocomplete: string;
  readonly hint?: string;
  readonly maxLength?: number;
  /** For a code that is read off elsewhere and typed here. */
  readonly isCode?: boolean;
}

export function input(field: Input): Html {
  const { name, label, type = "text", value = "", autocomplete, hint, maxLength = 254, isCode = false } = field;
  const plain = html` autocapitalize="none" spellcheck="false"`;
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" maxlength="${maxLength}" required${plain}${isCode ? html` class="code"` : ""}>${hint ? html`<span class="hint">${hint}</span>` : ""}</div>`;
}

export function button(label: string, more: { name?: string; value?: string; look?: string } = {}): Html {
  const { name, value = "", look = "" } = more;
  return html`<button type="submit"${name ? html` name="${name}" value="${value}"` : ""} class="${look}">${label}</button>`;
}

/** What a person should see before anything else on a page. */
export function notice(text: string | Html, look: "" | "bad" | "good" = ""): Html {
  return html`<p class="notice ${look}" role="${look === "bad" ? "alert" : "status"}">${text}</p>`;
}

/** What each scope lets an app, an agent or a key do, in plain words (interface.md "Scopes"). */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: "See your balance, projects, links, orders and usage",
  index: "Create projects and checks, which spends your credits, and cancel links that were not sent",
  purchase: "Start purchases of credits: payment links for you, or direct payments where these are enabled",
};

/** Boxes by which scopes are granted; the fields are all called `scope`. */
export function scopeBoxes(offered: readonly Scope[], ticked: readonly Scope[]): Html {
  const boxes = SCOPES.filter((scope) => offered.includes(scope)).map(
    (scope) =>
      html`<label class="tick"><input type="checkbox" name="scope" value="${scope}"${
        ticked.includes(scope) ? html` checked` : ""
      }> <span><code>${scope}</code> ${SCOPE_WORDS[scope]}</span></label>\n`,
  );
  return html`<fieldset><legend>It may</legend>${boxes}</fieldset>`;
}
