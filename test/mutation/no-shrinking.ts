import fc from "fast-check";

/** A generated input that shows a mutant is enough. No smaller one is looked for. */
fc.configureGlobal({ endOnFailure: true });
