import { createHmac } from "node:crypto";
import express, { type Request, type RequestHandler, type Response } from "express";
import type { Tx } from "../../../db/engine.ts";
import type { Services } from "../../contract/call.ts";
import { isSame, isSecret, newSecret } from "../../domain/auth/secrets.ts";
import type { Mailer } from "../../domain/mail/mailer.ts";
import { holdSession, type Session, SessionEnded, sessionOf, touchSession } from "../../domain/users/sessions.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { isStorable } from "../../platform/text.ts";
import { addressOf } from "../http-server/caller.ts";
import type { Log } from "../http-server/log.ts";
import { browserName } from "./browser-name.ts";
import { stalePage } from "./csrf-error.ts";
import { layout, type Page, pageHeaders } from "./layout.ts";
import { cookieOf, setCookie } from "./session-cookie.ts";

/** What the pages for people are given. */
export interface SiteServices extends Services {
  readonly log: Log;
  readonly mailer: Mailer;
}

/** One request of a browser: who sits before it, and how it is answered. */
export interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly session: Session | null;
  /** What its cookie holds, signed in or not. */
  readonly secret: string;
  /** Goes into the hidden field `token` of every form: what only a page of ours, in this browser, can know. */
  readonly formToken: string;
  readonly ip: string;
  readonly browser: string;
  readonly now: number;
  /** A parameter of the query; "" when absent. @throws Refusal invalid_request when it is there twice */
  query(name: string): string;
  /**
   * One transaction of the person who is signed in, as they still are in it.
   * @throws SessionEnded when they were put out meanwhile: the form leads to sign in
   */
  act<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  show(page: Page, status?: number): void;
  /** Answers 303: the browser goes on with GET. @param path local, or an address that was checked */
  go(path: string): void;
  /** Gives the browser the cookie of a session that was opened, or takes it away. */
  enter(secret: string): void;
  leave(): void;
}

/** A visit by a form. */
export interface Post extends Visit {
  /** "" when absent. @throws Refusal invalid_request when it is there twice */
  field(name: string): string;
  /** All values of a field that may be there more than once. */
  fields(name: string): string[];
}

type Handle<V> = (visit: V) => void | Promise<void>;
type SignedIn = { readonly session: Session };

/** Makes handlers of express out of handlers of visits. */
export function visits(services: SiteServices) {
  const siteUrl = new URL(services.config.siteUrl);
  // No browser sends a form compressed.
  const form = express.urlencoded({ extended: false, inflate: false, limit: "32kb", parameterLimit: 200 });
  const get =
    (handle: Handle<Visit>): RequestHandler =>
    async (req, res) =>
      handle(await visitOf(services, req, res));
  const post = (handle: Handle<Post>): readonly RequestHandler[] => [
    form,
    async (req, res) => {
      refuseCrossSite(req, siteUrl);
      const visit = await visitOf(services, req, res);
      const fields = (name: string) => valuesIn(req.body, name);
      const post: Post = { ...visit, fields, field: (name) => only(fields(name), name) };
      if (!isSame(post.field("token"), visit.formToken)) return visit.show(stalePage(post), 403);
      try {
        await handle(post);
      } catch (thrown) {
        if (!(thrown instanceof SessionEnded)) throw thrown;
        post.go("/sign-in");
      }
    },
  ];
  return {
    get,
    post,
    /** Who is not signed in is sent to sign in, and comes back. */
    getSignedIn: (handle: Handle<Visit & SignedIn>) =>
      get((visit) => (visit.session ? handle(visit as Visit & SignedIn) : toSignIn(visit))),
    postSignedIn: (handle: Handle<Post & SignedIn>) =>
      post((visit) => (visit.session ? handle(visit as Post & SignedIn) : visit.go("/sign-in"))),
  };
}

export type Visits = ReturnType<typeof visits>;

/**
 * To the sign-in page and back here; `again` asks for the password of one who is signed in.
 * @param formPage where the way back leads from a form
 */
export function toSignIn(visit: Visit, again = false, formPage = "/dashboard"): void {
  const here = visit.req.method === "GET" ? visit.req.originalUrl : formPage;
  visit.go(`/sign-in?${new URLSearchParams({ return_to: here, ...(again ? { again: "1" } : {}) })}`);
}

async function visitOf(services: SiteServices, req: Request, res: Response): Promise<Visit> {
  const { db, clock, config } = services;
  const now = clock.now();
  const ip = addressOf(req, config.trustProxy);
  const isSecure = config.siteUrl.startsWith("https:");
  const kept = cookieOf(req, isSecure);
  const secret = kept !== null && isSecret("session", kept) ? kept : newSecret("session").secret;
  const session = kept === secret ? await sessionOf(db, secret, now) : null;
  if (secret !== kept) setCookie(res, secret, isSecure);
  if (session) await touchSession(db, session, ip, now);
  return {
    req,
    res,
    session,
    secret,
    formToken: createHmac("sha256", secret).update("form").digest("base64url"),
    ip,
    browser: browserName(req.headers["user-agent"]),
    now,
    query: (name) => only(valuesIn(req.query, name), name),
    act: (work) =>
      db.tx(async (tx) => {
        if (!session) throw new SessionEnded();
        await holdSession(tx, session, now);
        return work(tx);
      }),
    show: (page, status = 200) => {
      res.status(status).set(pageHeaders(page)).set("Cache-Control", "no-store").type("html");
      res.send(layout({ ...page, isSignedIn: session !== null }));
    },
    go: (path) => res.set("Cache-Control", "no-store").redirect(303, path),
    enter: (secret) => setCookie(res, secret, isSecure),
    leave: () => setCookie(res, newSecret("session").secret, isSecure),
  };
}

/**
 * A form is sent by a page of ours: the browser says so in Sec-Fetch-Site, or in Origin where it is older. What says
 * neither is no browser of these ten years, and is left to the form's token.
 * @throws Refusal forbidden_origin
 */
function refuseCrossSite({ headers }: Request, siteUrl: URL): void {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (site === undefined && origin === undefined) return;
  // A service on plain http may be reached by other names of its machine; on https there is only the one.
  const isHere = origin === siteUrl.origin || (siteUrl.protocol === "http:" && origin === `http://${host}`);
  const isOurs = site === undefined ? isHere : site === "same-origin";
  if (!isOurs)
    throw new Refusal("forbidden_origin", "This form was not sent from a page of ours. Open the page again.");
}

function valuesIn(source: unknown, name: string): string[] {
  const found = source !== null && typeof source === "object" && Object.hasOwn(source, name);
  const value = found ? (source as Record<string, unknown>)[name] : undefined;
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const texts = values.map(String);
  if (texts.every(isStorable)) return texts;
  throw new Refusal("invalid_request", `\`${name}\` has characters in it that no value has.`, {
    issues: [{ path: name, message: "U+0000, or half of a character" }],
  });
}

function only(values: readonly string[], name: string): string {
  if (values.length <= 1) return values[0] ?? "";
  throw new Refusal("invalid_request", `\`${name}\` was sent more than once.`, {
    issues: [{ path: name, message: "sent more than once" }],
  });
}
