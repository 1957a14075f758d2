import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Button } from "../../../../../src/surfaces/website/components/button.tsx";
import { Choice, ScopeChoices, TextField } from "../../../../../src/surfaces/website/components/field.tsx";
import { Form } from "../../../../../src/surfaces/website/components/form.tsx";
import { Notice } from "../../../../../src/surfaces/website/components/notice.tsx";

const HOSTILE = `"><script>x</script>`;

test("every form uses POST and has the CSRF token", () => {
  const text = renderToString(h(Form, { request: { csrfToken: "abc" }, action: "/there" }, h("p", null, "Body")));
  expect(text).toMatch(/^<form method="post" action="\/there"><input type="hidden" name="token" value="abc"\/>/);
  expect(text).toContain("<p>Body</p></form>");
});

test("law: values in fields are escaped", () => {
  const request = { csrfToken: "t" };
  const field = { name: "email", autocomplete: "username", value: HOSTILE, label: HOSTILE, hint: HOSTILE };
  const made = [
    renderToString(h(TextField, { ...field, problem: HOSTILE })),
    renderToString(h(Form, { request, action: "/", hidden: { a: HOSTILE } })),
    renderToString(h(Form, { request, action: HOSTILE })),
    renderToString(h(Button, { name: "a", value: HOSTILE, children: HOSTILE })),
    renderToString(h(Notice, { children: HOSTILE })),
    renderToString(h(Choice, { type: "checkbox", name: "a", isTicked: false, hint: HOSTILE, children: HOSTILE })),
  ];
  for (const text of made) {
    expect(text).not.toContain("<script");
    expect(text).toContain("&quot;>&lt;script>x&lt;/script>");
  }
});

test("a field tells screen readers what is wrong with it", () => {
  const field = { name: "email", label: "E-mail address", autocomplete: "username" };
  const text = renderToString(h(TextField, { ...field, hint: "Like this", problem: "Not like that" }));
  expect(text).toContain('<label for="email">');
  expect(text).toContain('aria-invalid="true"');
  expect(text).toContain('aria-describedby="email-hint email-problem"');
  expect(text).toContain('<span class="problem" id="email-problem">Not like that</span>');
  expect(text).toContain('<span class="hint" id="email-hint">Like this</span>');
  expect(renderToString(h(TextField, field))).not.toContain("aria-");
});

test("a browser never cuts a password, and cuts other fields at 254 characters", () => {
  const field = { name: "a", label: "A", autocomplete: "off" };
  expect(renderToString(h(TextField, { ...field, type: "password" }))).not.toContain("maxlength");
  expect(renderToString(h(TextField, { ...field, type: "password", minLength: 10 }))).toContain('minlength="10"');
  expect(renderToString(h(TextField, field))).toContain('maxlength="254"');
  expect(renderToString(h(TextField, { ...field, isFixed: true }))).toContain(" readonly");
});

test("a checkbox for each offered scope, in a fixed order", () => {
  const text = renderToString(h(ScopeChoices, { offered: ["purchase", "read"], ticked: ["read"] }));
  const boxes = [...text.matchAll(/name="scope" value="(\w+)"( checked)?/g)].map(([, name, checked]) => [
    name,
    !!checked,
  ]);
  expect(boxes).toEqual([
    ["read", true],
    ["purchase", false],
  ]);
});
