import { apt, isKnown, rootPrefix, succeeds } from "./apt.mjs";
import { say } from "./say.mjs";

/**
 * What the test of the image needs, as Debian's packages: an engine, its networks and what it needs without root's rights, and what
 * makes the tree of a Debian.
 */
const PACKAGES = ["podman", "iptables", "slirp4netns", "uidmap", "mmdebstrap"];

/** Whether this machine can have it: images of containers are for Linux. */
export const CAN_HAVE_PODMAN = process.platform === "linux";

/** Finds Podman and mmdebstrap, or installs them. @throws Error that says what is missing */
export function ensurePodman() {
  if (isComplete()) return;
  const help = `Install ${PACKAGES.join(", ")}, and run this again.`;
  const prefix = rootPrefix();
  if (!prefix) throw new Error(`there is no Podman here, and no apt-get that this user may install one with. ${help}`);
  say("the tests need Podman and mmdebstrap, and they are missing: installing Debian's (once; some seconds) …");
  const install = () => apt(prefix, "install", "-y", "--no-install-recommends", ...PACKAGES);
  // An outdated package list names files that no longer exist.
  const isInstalled = (PACKAGES.every(isKnown) && install()) || (apt(prefix, "update") && install());
  if (!isInstalled || !isComplete()) throw new Error(`Debian's Podman could not be installed. ${help}`);
}

function isComplete() {
  return succeeds("podman", "--version") && succeeds("mmdebstrap", "--version");
}
