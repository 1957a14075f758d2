/** The script of every page. Pages work without it: it only makes some things more convenient. */
import { addCopyButtons } from "../copy-buttons.ts";
import { keepCurrent } from "../live.ts";
import { forgetSubmitted, improveNewProject } from "../new-project.ts";
import { addPrintButtons } from "../print-buttons.ts";
import { improveSearch } from "../slash.ts";

addCopyButtons();
addPrintButtons();
improveSearch();
keepCurrent();
forgetSubmitted();
improveNewProject();
