/** A form in Stripe's bracket notation: `line_items[0][price_data][currency]=usd`. */
export interface FormObject {
  [name: string]: string | FormObject;
}

export function parseBrackets(body: string): FormObject {
  const form: FormObject = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = [name.split("[")[0]!, ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part!)];
    const last = path.pop()!;
    let at = form;
    for (const part of path) {
      at[part] ??= {};
      at = at[part] as FormObject;
    }
    at[last] = value;
  }
  return form;
}

/** The text at a path; "" if there is none. */
export function textAt(form: FormObject, ...path: string[]): string {
  let at: string | FormObject | undefined = form;
  for (const part of path) at = typeof at === "object" ? at[part] : undefined;
  return typeof at === "string" ? at : "";
}

/** The names of all parameters, as Stripe writes them in errors: `line_items[0][quantity]`. */
export function namesIn(form: FormObject, prefix = ""): string[] {
  return Object.entries(form).flatMap(([name, value]) => {
    const whole = prefix === "" ? name : `${prefix}[${name}]`;
    return typeof value === "string" ? [whole] : namesIn(value, whole);
  });
}
