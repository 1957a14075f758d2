/** The oldest Node.js that runs this program: native packages crash on older ones. `engines` in package.json says the same. */
export const OLDEST_NODE = "22.15";

/** The version that messages advise to install. */
const ADVISED_NODE = "24";

export const NODE_ADVICE = `Install Node.js ${ADVISED_NODE} (https://nodejs.org), or any from ${OLDEST_NODE} on.`;

/** @param version as `process.versions.node` has it */
export function isNodeRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
