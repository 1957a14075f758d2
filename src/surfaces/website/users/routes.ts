import { Router } from "express";
import type { Post, SiteServices, Visit, Visits } from "../page-request.ts";
import { confirmPost, showConfirm } from "./confirm.ts";
import { forgotPost, showForgot } from "./forgot.ts";
import { showSent } from "./mail-sent.ts";
import { resetPost, showReset } from "./reset.ts";
import { showSignIn, signInPost } from "./sign-in.ts";
import { showSignOut, signOutPost } from "./sign-out.ts";
import { showSignUp, signUpPost } from "./sign-up.ts";

/** The way in and out for a person. */
export function peoplePages(services: SiteServices, visits: Visits): Router {
  const router = Router();
  const get = (path: string, show: (visit: Visit) => void | Promise<void>) => router.get(path, visits.get(show));
  const post = (path: string, act: (services: SiteServices, post: Post) => Promise<void>) =>
    router.post(path, ...visits.post((form) => act(services, form)));

  get("/sign-up", showSignUp);
  post("/sign-up", signUpPost);
  get("/sign-up/sent", (visit) => showSent(visit, "/sign-up"));
  get("/confirm", (visit) => showConfirm(services, visit));
  post("/confirm", confirmPost);
  get("/sign-in", showSignIn);
  post("/sign-in", signInPost);
  get("/sign-out", showSignOut);
  post("/sign-out", signOutPost);
  get("/forgot", showForgot);
  post("/forgot", forgotPost);
  get("/forgot/sent", (visit) => showSent(visit, "/forgot"));
  get("/reset", (visit) => showReset(services, visit));
  post("/reset", resetPost);
  return router;
}
