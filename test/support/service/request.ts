import { expect } from "vitest";
import { openApiDocument } from "../../../rest/openapi.ts";
import type { Config } from "../../../src/platform/config/config.ts";
import { openApiChecker } from "../checks/openapi-response.ts";

export interface ApiRequestOptions {
  readonly key?: string | undefined;
  /** Sent as JSON, unless it is a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Body of a JSON response; null for others. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly json: any;
}

/** A client of `/api/v1` that compares every response with the OpenAPI document. */
export function requester(url: string, config: Config) {
  let problemsOf: ReturnType<typeof openApiChecker> | undefined;
  return async (method: string, path: string, { key, body, headers }: ApiRequestOptions = {}): Promise<ApiResponse> => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    const target = `/api/v1${path}`;
    const response = await fetch(url + target, {
      method,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
    const answered = {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    };
    problemsOf ??= openApiChecker(openApiDocument(config));
    expect(
      problemsOf(method, target.split("?")[0]!, answered),
      `${method} ${path} against the OpenAPI document`,
    ).toEqual([]);
    return answered;
  };
}
