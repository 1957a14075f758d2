import { bundle } from "../../../scripts/bundle.mjs";

/** Pages need the bundles of the present sources, also where only a part of the tests runs. */
export function setup(): void {
  bundle();
}
