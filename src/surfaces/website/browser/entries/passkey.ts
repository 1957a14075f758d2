/** The script of pages with a passkey. Only here is a page of any use without its script: browsers have no other way. */
import { connectPasskeyForms } from "../passkey-forms.ts";

connectPasskeyForms();
