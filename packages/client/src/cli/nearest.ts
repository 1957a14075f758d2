/** The service's search for the name that was meant. The build bundles it into this one module. */
export { nearestName } from "../../../../src/platform/nearest.ts";
