import type { Mail } from "../../../src/domain/mail/mailer.ts";
import type { Form, PageSeen, User } from "../website/user.ts";

/** Signs a user up by the pages and the link in the mail. @returns the page that the user wanted at first */
export async function signUp(
  user: User,
  outbox: readonly Mail[],
  { email, from = "/sign-up" }: { email: string; from?: string },
): Promise<PageSeen> {
  const first = await user.follow(await user.get(from));
  // A user who was redirected to sign-in continues to sign-up from there.
  const [, link] = /href="(\/sign-up[^"]*)"/.exec(first.html) ?? [];
  const form = link === undefined ? first : await user.get(link.replaceAll("&amp;", "&"));
  await user.submit(form, { email, password: "slow heavy metal music" }, "/sign-up");
  const letter = await user.get(linkIn(outbox, email));
  return user.follow(await user.submit(letter, {}, "/confirm"));
}

/** The link in the last mail to an address. */
export function linkIn(outbox: readonly Mail[], email: string): string {
  const mail = outbox.findLast(({ to }) => to === email);
  const [link] = /https?:\/\/\S+/.exec(mail?.text ?? "") ?? [];
  if (link === undefined) throw new Error(`no mail with a link went to ${email}`);
  return link;
}

/**
 * Decides on an authorization request as a signed-in user, who ticks every scope that is offered but some.
 * @returns where the app gets the answer
 */
export async function consent(
  user: User,
  address: URL | string,
  { decision = "allow", untick = [] }: { decision?: "allow" | "decline"; untick?: readonly string[] } = {},
): Promise<URL> {
  const page = await user.get(String(address));
  if (page.location !== null) return new URL(page.location);
  // Of a wrong request, the user is offered a link back to the app.
  const [, back] = /<a href="([^"]+)" rel="noreferrer">return to/.exec(page.html) ?? [];
  if (back !== undefined) return new URL(back.replaceAll("&amp;", "&"));
  const asking = page.forms.find(({ boxes }) => boxes.some((box) => box.startsWith("scope=")));
  if (!asking) throw new Error(`${page.status}: nobody is asked for consent: ${page.text}`);
  const fill = { decision, scope: offeredBy(asking).filter((scope) => !untick.includes(scope)) };
  const { status, location, text } = await user.submit({ ...page, forms: [asking] }, fill);
  if (location === null) throw new Error(`${status}: the app gets no answer: ${text}`);
  return new URL(location);
}

function offeredBy({ boxes }: Form): string[] {
  return boxes.filter((box) => box.startsWith("scope=")).map((box) => box.slice("scope=".length));
}

/** Decides on an agent as a signed-in user, with the code that the agent showed, who ticks every scope that is offered but some. */
export async function typeCode(
  user: User,
  page: PageSeen,
  code: string,
  { decision = "allow", untick = [] }: { decision?: "allow" | "decline"; untick?: readonly string[] } = {},
): Promise<PageSeen> {
  const asking = page.forms.find(({ boxes }) => boxes.some((box) => box.startsWith("scope=")));
  if (!asking) throw new Error(`${page.status}: nobody is asked for a code: ${page.text}`);
  const fill = { decision, user_code: code, scope: offeredBy(asking).filter((scope) => !untick.includes(scope)) };
  return user.follow(await user.submit({ ...page, forms: [asking] }, fill));
}
