// `npm run build`: dist/, so that the operator command needs no compiler afterwards.
import { compile } from "./prepare.mjs";

compile();
