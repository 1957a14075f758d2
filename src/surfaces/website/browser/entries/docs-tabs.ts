/** The script of documents with tabs. Browsers run it before they show the page, so that the page does not change in sight. */
import { rememberTabs } from "../tabs.ts";

rememberTabs();
