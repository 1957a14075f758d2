import { expect, test } from "vitest";
import {
  button,
  checkbox,
  form,
  hidden,
  input,
  notice,
  scopeCheckboxes,
} from "../../../../src/surfaces/website/form.ts";
import { html } from "../../../../src/surfaces/website/html.ts";

const HOSTILE = `"><script>x</script>`;
const ESCAPED = "&quot;>&lt;script>x&lt;/script>";

test("every form uses POST and has the CSRF token", () => {
  const { text } = form({ csrfToken: "abc" }, "/there", html`<p>Body</p>`);
  expect(text).toMatch(/^<form method="post" action="\/there"><input type="hidden" name="token" value="abc">/);
  expect(text).toContain("<p>Body</p></form>");
});

test("law: values in fields are escaped", () => {
  const field = { name: "email", autocomplete: "username", value: HOSTILE, label: HOSTILE, hint: HOSTILE };
  for (const made of [
    input({ ...field, problem: HOSTILE }),
    hidden({ a: HOSTILE }),
    button(HOSTILE, { name: "a", value: HOSTILE }),
    notice(HOSTILE),
    checkbox({ name: "a", label: HOSTILE, hint: HOSTILE }),
    form({ csrfToken: "t" }, HOSTILE, html``),
  ]) {
    expect(made.text).not.toContain("<script");
    expect(made.text).toContain(ESCAPED);
  }
});

test("a field tells screen readers what is wrong with it", () => {
  const field = { name: "email", label: "E-mail address", autocomplete: "username" };
  const { text } = input({ ...field, hint: "Like this", problem: "Not like that" });
  expect(text).toContain('<label for="email">');
  expect(text).toContain('aria-invalid="true"');
  expect(text).toContain('aria-describedby="email-hint email-problem"');
  expect(text).toContain('<span class="problem" id="email-problem">Not like that</span>');
  expect(text).toContain('<span class="hint" id="email-hint">Like this</span>');
  expect(input(field).text).not.toContain("aria-");
});

test("a browser never cuts a password, and cuts other fields at 254 characters", () => {
  const field = { name: "a", label: "A", autocomplete: "off" };
  expect(input({ ...field, type: "password" }).text).not.toContain("maxlength");
  expect(input({ ...field, type: "password", minLength: 10 }).text).toContain('minlength="10"');
  expect(input(field).text).toContain('maxlength="254"');
  expect(input({ ...field, isFixed: true }).text).toContain(" readonly");
});

test("a checkbox for each offered scope, in a fixed order", () => {
  const { text } = scopeCheckboxes(["purchase", "read"], ["read"]);
  const boxes = [...text.matchAll(/name="scope" value="(\w+)"( checked)?/g)].map(([, name, checked]) => [
    name,
    !!checked,
  ]);
  expect(boxes).toEqual([
    ["read", true],
    ["purchase", false],
  ]);
});
