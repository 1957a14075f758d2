/** The script of every page. Pages work without it: it only makes some things more convenient. */
import { addCopyButtons } from "../copy-buttons.ts";
import { forgetWhenDone } from "../draft.ts";
import { keepCurrent } from "../live.ts";
import { improveNewProject } from "../new-project.ts";
import { addPrintButtons } from "../print-buttons.ts";
import { showSending } from "../sending.ts";
import { improveSearch } from "../slash.ts";
import { improveTryBox } from "../try-box.ts";

addCopyButtons();
addPrintButtons();
improveSearch();
keepCurrent();
showSending();
forgetWhenDone();
improveNewProject();
improveTryBox();
