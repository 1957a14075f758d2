/** The script of every page. Pages work without it: it only makes some things more convenient. */
import { addCopyButtons } from "../copy-buttons.ts";
import { keepCurrent } from "../live.ts";
import { forgetSubmitted, improveNewProject } from "../new-project.ts";
import { addPrintButtons } from "../print-buttons.ts";

addCopyButtons();
addPrintButtons();
// On a phone the sections are wider than the screen.
document.querySelector(".sections [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
keepCurrent();
forgetSubmitted();
improveNewProject();
