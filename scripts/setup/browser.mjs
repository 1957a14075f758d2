import { delimiter, join } from "node:path";
import { apt, isKnown, isProgram, rootPrefix } from "./apt.mjs";
import { say } from "./say.mjs";

/** The first is Chromium without a window, with which the tests take less CPU. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Packages of Debian, the better one first. */
const PACKAGES = ["chromium-headless-shell", "chromium"];

/** The Chromium that tests drive: the one that the variable CHROMIUM names, or the first in PATH; null: there is none. */
export function findBrowser() {
  const named = process.env.CHROMIUM;
  if (named) return isProgram(named) ? named : null;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find(isProgram) ?? null;
}

/** Finds a Chromium, or installs one. Where that fails, it says what is missing and ends the process with exit code 1. */
export function ensureBrowser() {
  const found = findBrowser();
  if (found !== null) return found;
  if (process.env.CHROMIUM) giveUp("the variable CHROMIUM does not name a program");
  const prefix = rootPrefix();
  if (!prefix) giveUp("there is no Chromium here, and no apt-get that this user may install one with");
  say("the tests need a browser and there is none: installing Chromium (once; about two minutes) …");
  // An outdated package list names files that no longer exist.
  const install = (name) => apt(prefix, "install", "-y", name);
  const isInstalled = PACKAGES.filter(isKnown).some(install) || (apt(prefix, "update") && PACKAGES.some(install));
  return (isInstalled && findBrowser()) || giveUp("no package of Chromium could be installed");
}

function giveUp(why) {
  say(`${why}. Install Chromium or Chrome, or set CHROMIUM to the path of its program, and run this again.`);
  process.exit(1);
}
