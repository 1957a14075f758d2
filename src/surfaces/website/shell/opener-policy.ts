/** Pages that a user who connects an app comes through: sign-in, sign-up, a forgotten password, consent. */
const CONNECTING = /^\/(?:oauth\/|(?:sign-in|sign-up|sign-out|forgot|confirm|reset)(?:\/|$))/;

/**
 * The Cross-Origin-Opener-Policy of a page. Apps open the consent page in a popup, which tells the window of the app that it
 * is done: a policy on any page before that would cut the two apart for good. All other pages stand alone.
 */
export function openerPolicyOf(path: string): "unsafe-none" | "same-origin" {
  return CONNECTING.test(path) ? "unsafe-none" : "same-origin";
}
