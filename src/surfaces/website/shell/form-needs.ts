import type { Role } from "../../../platform/principal.ts";
import { allows, type Need } from "../../../platform/roles.ts";

/** What role the forms of pages need, by the path that they are sent to, so that a page shows nobody a form that would be refused. */
export class FormNeeds {
  readonly #needs: { readonly path: RegExp; readonly need: Need }[] = [];

  /** @param path as a route has it, such as `/dashboard/keys/:id/revoke` */
  add(path: string, need: Need): void {
    this.#needs.push({ path: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`), need });
  }

  allows(role: Role, action: string): boolean {
    const path = action.split("?")[0]!;
    const form = this.#needs.find((one) => one.path.test(path));
    return form === undefined || allows(role, form.need);
  }
}
