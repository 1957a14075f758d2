import type { ListHandlers, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { freshOf } from "../domain.ts";
import { normalForms } from "./count.ts";
import { draftIn, listIn } from "./draft.ts";

/**
 * `POST /dashboard/projects/new/repeats`: how many URLs of the typed list an earlier project of the account has, as
 * `{"submitted": 5}`. The script of the form asks it once the typing has paused; only the service knows. 401 where nobody
 * is signed in, 403 where the form is of another session.
 */
export function repeatsPost(services: WebsiteServices): ListHandlers {
  return {
    async act(post) {
      const read = await listIn(await draftIn(post));
      const accepted = await normalForms("list" in read ? read.list.urls : []);
      const fresh = await freshOf(services, post, accepted);
      answer(post, 200, { submitted: accepted.length - fresh.length });
    },
    async restore(post) {
      answer(post, 403, {});
    },
    keep: (post) => answer(post, 401, {}),
  };
}

function answer({ res }: PageRequest, status: number, body: object): void {
  res.status(status).set("Cache-Control", "no-store").json(body);
}
