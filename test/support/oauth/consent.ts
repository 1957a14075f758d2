import type { Mail } from "../../../src/domain/mail/mailer.ts";
import type { PageSeen, Person } from "../website/user.ts";

/** Opens an account by the pages: sign-up, the mail, its link. @returns where the person was on the way to */
export async function signUp(
  person: Person,
  outbox: readonly Mail[],
  { email, from = "/sign-up" }: { email: string; from?: string },
): Promise<PageSeen> {
  const first = await person.follow(await person.get(from));
  // Who was sent to sign in goes on from there.
  const [, link] = /href="(\/sign-up[^"]*)"/.exec(first.html) ?? [];
  const form = link === undefined ? first : await person.get(link.replaceAll("&amp;", "&"));
  await person.submit(form, { email, password: "slow heavy metal music" }, "/sign-up");
  const letter = await person.get(linkIn(outbox, email));
  return person.follow(await person.submit(letter, {}, "/confirm"));
}

/** The address in the last mail to somebody. */
export function linkIn(outbox: readonly Mail[], email: string): string {
  const mail = outbox.findLast(({ to }) => to === email);
  const [link] = /https?:\/\/\S+/.exec(mail?.text ?? "") ?? [];
  if (link === undefined) throw new Error(`no mail with a link went to ${email}`);
  return link;
}

/** Decides on the request of an app as a person who is signed in. @returns where the app gets its answer */
export async function consent(
  person: Person,
  address: URL | string,
  { decision = "allow", untick = [] }: { decision?: "allow" | "decline"; untick?: readonly string[] } = {},
): Promise<URL> {
  const page = await person.get(String(address));
  if (page.location !== null) return new URL(page.location);
  const asking = page.forms.find(({ boxes }) => boxes.some((box) => box.startsWith("scope=")));
  if (!asking) throw new Error(`${page.status}: nobody is asked for consent: ${page.text}`);
  const ticked = asking.fields.filter(([name, value]) => name === "scope" && !untick.includes(value));
  const fill = { decision, scope: ticked.map(([, value]) => value) };
  const { status, location, text } = await person.submit({ ...page, forms: [asking] }, fill);
  if (location === null) throw new Error(`${status}: the app gets no answer: ${text}`);
  return new URL(location);
}

/** Decides on an agent as a person who is signed in, by the code that it showed. */
export async function typeCode(
  person: Person,
  page: PageSeen,
  code: string,
  { decision = "allow", untick = [] }: { decision?: "allow" | "decline"; untick?: readonly string[] } = {},
): Promise<PageSeen> {
  const asking = page.forms.find(({ boxes }) => boxes.some((box) => box.startsWith("scope=")));
  if (!asking) throw new Error(`${page.status}: nobody is asked for a code: ${page.text}`);
  const ticked = asking.fields.filter(([name, value]) => name === "scope" && !untick.includes(value));
  const fill = { decision, user_code: code, scope: ticked.map(([, value]) => value) };
  return person.follow(await person.submit({ ...page, forms: [asking] }, fill));
}
