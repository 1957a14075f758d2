import type { LiveService } from "../service/live-service.ts";
import type { PageSeen, User } from "./user.ts";

export const CONNECTIONS = "/dashboard/connections";
const GOOGLE = `${CONNECTIONS}/google`;

/** Presses “Connect Search Console”. @returns Google's consent page, and the link with these words on it */
export async function askGoogle(user: User, { sitemaps = false } = {}): Promise<(words: string) => string> {
  const fill: Record<string, string> = sitemaps ? { sitemaps: "yes" } : {};
  const asked = await user.submit(await user.get(CONNECTIONS), fill, GOOGLE);
  if (asked.status !== 303) throw new Error(`${asked.status}: ${asked.text}`);
  const html = await (await fetch(asked.location!)).text();
  return (words) => {
    const [, href] = new RegExp(`href="([^"]+)">${words}</a>`).exec(html) ?? [];
    if (href === undefined) throw new Error(`no link “${words}” in ${html}`);
    return href.replaceAll("&amp;", "&");
  };
}

/** Connects the Google account of a person. @returns the page that shows the properties */
export async function connectGoogle(
  user: User,
  person: string,
  options: { sitemaps?: boolean } = {},
): Promise<PageSeen> {
  const link = await askGoogle(user, options);
  return user.follow(await user.get(link(`Allow as ${person}`)));
}

/** A person with a Google account that has these properties. @returns the address */
export function googlePerson(
  { world }: LiveService,
  person: string,
  properties: Readonly<Record<string, string>>,
  claims?: object,
): string {
  const subject = String(world.googlePeople.size + 1_000);
  const about = { subject, properties: new Map(Object.entries(properties)) };
  world.googlePeople.set(person, claims ? { ...about, claims } : about);
  return person;
}
