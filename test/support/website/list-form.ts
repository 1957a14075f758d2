import type { PageSeen, User } from "./user.ts";

export const NEW_PROJECT = "/dashboard/projects/new";

/** What a test changes of the form of a new project; a list is sent as text with one entry per line. */
export interface ListFill {
  readonly fields?: Readonly<Record<string, string | null>>;
  readonly file?: { readonly name: string; readonly content: string | Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends the form of a new project on a page as a browser would: `multipart/form-data`, with a file or without.
 * @param nth of the forms that lead there; by default the first
 */
export async function sendList(user: User, page: PageSeen, fill: ListFill = {}, nth = 0): Promise<PageSeen> {
  const form = page.forms.filter(({ action }) => action === NEW_PROJECT)[nth];
  if (!form) throw new Error(`no such form, but ${page.forms.map(({ action }) => action)}`);
  const { fields = {}, file, headers = {} } = fill;
  const body = new FormData();
  for (const [name, value] of form.fields) if (!(name in fields) && name !== "file") body.append(name, value);
  for (const [name, value] of Object.entries(fields)) if (value !== null) body.append(name, value);
  if (file) body.append("file", new Blob([file.content]), file.name);
  return user.postBody(NEW_PROJECT, body, headers);
}

/** The pages that lead from the form to what becomes of it: the count, and then the project or a refusal. */
export async function submitList(user: User, fill: ListFill = {}): Promise<PageSeen> {
  const counted = await sendList(user, await user.get(NEW_PROJECT), fill);
  return sendList(user, counted);
}
