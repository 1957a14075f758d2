export type { CallOptions } from "./call-options.ts";
export { type Client, type ClientOptions, createClient, type WaitOptions } from "./client.ts";
export { BeckonError, type ErrorCode } from "./error.ts";
export type * from "./generated/calls.ts";
export type * from "./generated/shapes.ts";
export type { Credential } from "./transport.ts";
export { type SignedMessage, verifyWebhook, WebhookError, type WebhookMessage } from "./webhook.ts";
