/** The script of every page. Pages work without it: it only makes some things more convenient. */
import { addCopyButtons } from "../copy-buttons.ts";
import { forgetSubmitted, improveNewProject } from "../new-project.ts";

addCopyButtons();
forgetSubmitted();
improveNewProject();
