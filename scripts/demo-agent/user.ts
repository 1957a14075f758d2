import { typeCode } from "../../test/support/oauth/consent.ts";
import { User } from "../../test/support/website/user.ts";
import { firstMail } from "./mailbox.ts";

/**
 * Acts as the user whose agent showed a link and a code: opens the link, signs up, confirms the address by the mailed
 * link, types the code and approves the request.
 */
export async function claim(
  url: string,
  mailbox: string,
  { email, link, code }: { email: string; link: string; code: string },
): Promise<void> {
  const user = new User({ url });
  const signIn = await user.follow(await user.get(link));
  const [, toSignUp] = /href="(\/sign-up[^"]*)"/.exec(signIn.html) ?? [];
  if (toSignUp === undefined) throw new Error(`the page has no way to sign up: ${signIn.text}`);
  const signUp = await user.get(toSignUp.replaceAll("&amp;", "&"));
  await user.submit(signUp, { email, password: "slow heavy metal music" }, "/sign-up");
  const [confirm] = /https?:\/\/\S+/.exec(await firstMail(mailbox)) ?? [];
  const letter = await user.get(confirm!);
  const asking = await user.follow(await user.submit(letter, {}, "/confirm"));
  const done = await typeCode(user, asking, code);
  if (done.status !== 200) throw new Error(`the claim page answered ${done.status}: ${done.text}`);
}
