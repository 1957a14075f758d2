import express, { type Request, type RequestHandler, type Response } from "express";
import type { Tx } from "../../../../db/engine.ts";
import type { Need } from "../../../platform/roles.ts";
import { addressOf } from "../../http-server/caller.ts";
import { DELETION_PATH } from "./addresses.ts";
import { browserName } from "./browser-name.ts";
import { csrfErrorPage } from "./csrf-error.tsx";
import { isCsrfToken, newCsrfToken } from "./csrf-token.ts";
import { figuresOf, isRecent, isSecret, newSecret, requireRole, type Session, SessionEnded } from "./domain.ts";
import { unlessEnded } from "./ended-session.ts";
import { FormNeeds } from "./form-needs.ts";
import { layout, type Page, pageHeaders } from "./layout.tsx";
import { ListFormSlots, type UploadedFile } from "./list-form.ts";
import { only, pageNumber, refuseCrossSite, valuesIn } from "./sent-values.ts";
import { readKnownCookie, readSessionCookie, setKnownCookie, setSessionCookie } from "./session-cookie.ts";
import type { WebsiteServices } from "./website-services.ts";

export type { Session } from "./domain.ts";
export type { WebsiteServices } from "./website-services.ts";

/** A request of a browser for a page: who sent it, and how it is answered. */
export interface PageRequest {
  readonly req: Request;
  readonly res: Response;
  /** Null: nobody is signed in. */
  readonly session: Session | null;
  /** The value of the session cookie, which every browser has, signed in or not. */
  readonly secret: string;
  /** The value of the hidden field `token` of every form: only our own pages, in this browser, can know it. */
  readonly csrfToken: string;
  readonly ip: string;
  /** What shows which accounts the browser has been signed in to (known-browsers.ts). */
  readonly known: string;
  readonly browser: string;
  readonly now: number;
  /** A parameter of the path, such as `id` of `/dashboard/projects/:id`. */
  param(name: string): string;
  /** A parameter of the query; "" when absent. @throws Refusal invalid_request when it is there twice */
  query(name: string): string;
  /** Whether the role of who is signed in allows the form that is sent to that path. */
  mayPost(action: string): boolean;
  /**
   * Runs a transaction in which the session and the role are checked again and locked, so that they cannot end before the commit.
   * @throws SessionEnded when it has ended since the request began; `post` then redirects to the sign-in page
   * @throws Refusal insufficient_scope when the role does not allow any more what the page or form is for
   */
  sessionTx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Answers with a page once the handler is done. */
  show(page: Page, status?: number): void;
  /** Sends the page that was shown, if one was, with what its header says. */
  finish(): Promise<void>;
  /**
   * Answers 304 if the script of the page asked whether it has changed since this version, and it has not; else the page
   * to come has the version as its ETag. The ETag is weak: each page has another CSRF token.
   */
  isUnchanged(version: string): boolean;
  /** Answers 303, so that the browser continues with GET. @param path a local path, or an address that was checked */
  redirect(path: string): void;
  /** Sets the cookie of a session that was opened. */
  setSessionCookie(secret: string): void;
  /** Lets the browser show later that it has been signed in. */
  setKnownCookie(value: string): void;
  /** Replaces the cookie by one that belongs to no session. */
  clearSessionCookie(): void;
}

/** A request that sends a form. */
export interface FormPost extends PageRequest {
  /** "" when absent. @throws Refusal invalid_request when it is there twice */
  field(name: string): string;
  /** All values of a field that may be there more than once. */
  fields(name: string): string[];
}

/** A form with a list of URLs, or a file of them. */
export interface ListPost extends FormPost {
  readonly file: UploadedFile | null;
}

/** What becomes of a form with a list. What was typed is shown again in any case. */
export interface ListHandlers {
  /** It was sent by its user, who is signed in. */
  act(post: ListPost & { readonly session: Session }): Promise<void>;
  /** Shows it again, to be sent once more: its token is not of this session, as after signing in again. Nothing is done. */
  restore(post: ListPost & { readonly session: Session }): Promise<void>;
  /** Nobody is signed in. Nothing is done. */
  keep(post: ListPost): void | Promise<void>;
}

export type SignedInRequest = PageRequest & { readonly session: Session };
export type SignedInPost = FormPost & { readonly session: Session };

type Handler<R> = (request: R) => void | Promise<void>;

/** Turns functions that take a PageRequest into request handlers of Express. */
export function pageHandlers(services: WebsiteServices) {
  const siteUrl = new URL(services.config.siteUrl);
  const formNeeds = new FormNeeds();
  const requestOf = (req: Request, res: Response, need: Need) =>
    pageRequestOf({ ...services, formNeeds }, req, res, need);
  // No browser compresses a form.
  const parseForm = express.urlencoded({ extended: false, inflate: false, limit: "32kb", parameterLimit: 200 });
  const get =
    (handle: Handler<PageRequest>, need: Need = "own"): RequestHandler =>
    async (req, res) => {
      const request = await requestOf(req, res, need);
      if (!leadsToDeletion(request)) await handle(request);
      await request.finish();
    };
  const post = (handle: Handler<FormPost>, need: Need = "own"): readonly RequestHandler[] => [
    parseForm,
    async (req, res) => {
      refuseCrossSite(req, siteUrl);
      const request = await requestOf(req, res, need);
      if (leadsToDeletion(request)) return;
      const fields = (name: string) => valuesIn(req.body, name);
      const post: FormPost = { ...request, fields, field: (name) => only(fields(name), name) };
      if (!isCsrfToken(post.field("token"), request.secret)) request.show(csrfErrorPage(post), 403);
      else {
        if (post.session) requireRole(post.session.role, need);
        const act = () => handle(post);
        await unlessEnded(act, () => post.redirect("/sign-in"));
      }
      await request.finish();
    },
  ];
  const postList = ({ act, restore, keep }: ListHandlers): RequestHandler => {
    const slots = new ListFormSlots();
    return async (req, res) => {
      refuseCrossSite(req, siteUrl);
      const request = await requestOf(req, res, "index");
      if (leadsToDeletion(request)) return;
      const { session } = request;
      await slots.read(req, session !== null, async ({ body, file }) => {
        const fields = (name: string) => valuesIn(body, name);
        const post = { ...request, file, fields, field: (name: string) => only(fields(name), name) };
        if (!session) return keep(post);
        requireRole(session.role, "index");
        const handle = isCsrfToken(post.field("token"), request.secret) ? act : restore;
        const ended = { ...post, session: null };
        await unlessEnded(
          () => handle({ ...post, session }),
          () => keep(ended),
        );
      });
      await request.finish();
    };
  };
  return {
    formNeeds,
    get,
    post,
    postList,
    /** Without a session it redirects to the sign-in page, which leads back here. */
    getSignedIn: (handle: Handler<SignedInRequest>, need: Need) =>
      get((request) => {
        if (!request.session) return redirectToSignIn(request);
        requireRole(request.session.role, need);
        return handle(request as SignedInRequest);
      }, need),
    postSignedIn: (handle: Handler<SignedInPost>, need: Need) =>
      post((request) => (request.session ? handle(request as SignedInPost) : request.redirect("/sign-in")), need),
  };
}

export type PageHandlers = ReturnType<typeof pageHandlers>;

/**
 * Redirects to the sign-in page, which leads back here.
 * @param isAgain asks somebody who is signed in to prove once more who they are
 * @param formPage where to return to after a POST, which cannot be repeated
 */
export function redirectToSignIn(request: PageRequest, isAgain = false, formPage = "/dashboard"): void {
  const here = request.req.method === "GET" ? request.req.originalUrl : formPage;
  request.redirect(`/sign-in?${new URLSearchParams({ return_to: here, ...(isAgain ? { again: "1" } : {}) })}`);
}

/** Pages that the owner of an account that will be deleted can use: to keep it, to sign in or out, and to end a payment. */
const OPEN_DURING_DELETION = /^\/(?:account\/deletion|sign-in|sign-out|forgot|reset|checkout|sandbox)(?:\/|$)/;

/** Answers with the page on which an account that will be deleted can be kept. @returns false where that is not needed */
function leadsToDeletion({ req, session, redirect }: PageRequest): boolean {
  if (session === null || session.deletionDueAt === null || OPEN_DURING_DELETION.test(req.path)) return false;
  redirect(DELETION_PATH);
  return true;
}

/**
 * Asks users to prove again who they are, by a passkey or a code, or by the password where the account has neither. Called
 * before what spends, connects, or changes how one signs in.
 * @param formPage where to return to after a POST, which cannot be repeated
 * @param within ms since they last did; an hour by default
 * @returns whether they did lately; if not, the request is answered, by the page that asks for it and then leads back
 */
export function confirmIdentity(request: SignedInRequest, { formPage, within }: ConfirmOptions): boolean {
  if (isIdentityFresh(request, within)) return true;
  redirectToSignIn(request, true, formPage);
  return false;
}

/** As `confirmIdentity`, of accounts with a passkey or an authenticator app. Called before what tells or spends by itself. */
export function confirmByFactor(request: SignedInRequest, options: ConfirmOptions): boolean {
  return !request.session.hasFactor || confirmIdentity(request, options);
}

/** Whether users proved lately who they are. @param within ms since they did; an hour by default */
export function isIdentityFresh({ session, now }: SignedInRequest, within?: number): boolean {
  return isRecent(session, now, within);
}

type ConfirmOptions = { readonly formPage: string; readonly within?: number };

/** The requests that errors are answered to. */
const requests = new WeakMap<Request, PageRequest>();

/** A request of somebody who is signed in, as far as it came before an error; undefined: nobody is. */
export function signedInRequestOf(req: Request): SignedInRequest | undefined {
  const request = requests.get(req);
  return request?.session ? (request as SignedInRequest) : undefined;
}

/** What a request is made with. */
export type Parts = WebsiteServices & { readonly formNeeds: FormNeeds };

export async function pageRequestOf(services: Parts, req: Request, res: Response, need: Need): Promise<PageRequest> {
  const { db, clock, config, formNeeds } = services;
  const { sessions } = services.users;
  const now = clock.now();
  const ip = addressOf(req, config.trustProxy);
  const isSecure = config.siteUrl.startsWith("https:");
  const cookie = readSessionCookie(req, isSecure);
  const secret = cookie !== null && isSecret("session", cookie) ? cookie : newSecret("session").secret;
  const session = cookie === secret ? await sessions.sessionOf(secret, now) : null;
  if (secret !== cookie) setSessionCookie(res, secret, isSecure);
  if (session) await sessions.touchSession(session, ip, now);
  let csrfToken: string | null = null;
  let shown: { readonly page: Page; readonly status: number } | null = null;
  const request: PageRequest = {
    req,
    res,
    session,
    secret,
    // Made when it is needed: an answer 304 has no forms.
    get csrfToken() {
      csrfToken ??= newCsrfToken(secret);
      return csrfToken;
    },
    ip,
    known: readKnownCookie(req, isSecure),
    browser: browserName(req.headers["user-agent"]),
    now,
    param: (name) => String(req.params[name]),
    query: (name) => only(valuesIn(req.query, name), name),
    mayPost: (action) => session === null || formNeeds.allows(session.role, action),
    sessionTx: (work) =>
      db.tx(async (tx) => {
        if (!session) throw new SessionEnded();
        await sessions.lockSession(tx, session, now, need);
        return work(tx);
      }),
    isUnchanged: (version) => {
      const tag = `W/"${version}"`;
      const isSame = req.headers["if-none-match"] === tag;
      if (isSame) res.status(304).set("Cache-Control", "no-store").end();
      else res.set("ETag", tag);
      return isSame;
    },
    show: (page, status = 200) => {
      shown = { page, status };
    },
    finish: async () => {
      if (!shown) return;
      const { page, status } = shown;
      const caching = page.showsSecret
        ? "no-store, no-transform"
        : page.staysForBack
          ? "private, no-cache"
          : "no-store";
      const figures = session && page.at ? await figuresOf(db, session, { now, service: clock.service() }) : null;
      const account = session && { ...session, csrfToken: request.csrfToken, figures };
      const title = pageNumber(req) + page.title;
      res.status(status).set(pageHeaders(page)).set("Cache-Control", caching).type("html");
      res.send(layout({ ...page, title, account }, services.config));
    },
    redirect: (path) => res.set("Cache-Control", "no-store").redirect(303, path),
    setKnownCookie: (value) => setKnownCookie(res, value, isSecure),
    setSessionCookie: (secret) => setSessionCookie(res, secret, isSecure),
    clearSessionCookie: () => setSessionCookie(res, newSecret("session").secret, isSecure),
  };
  requests.set(req, request);
  return request;
}
