import { z } from "zod";
import type { PushConfigDraft, PushConfigRequest, TaskPushConfigsRequest } from "../wire.ts";
import { emptyToUndefined, fields, Id, optional, parse, RequiredId, Tenant } from "./fields.ts";

/** Parses the requests about push notifications (A2A 1.0 sections 3.1.7 to 3.1.10). */

const MAX_SECRET_LENGTH = 4_096;
const MAX_URL_LENGTH = 2_000;

/** A part of a header: visible ASCII, and spaces in between. */
const Secret = optional(
  z
    .string()
    .max(MAX_SECRET_LENGTH, `at most ${MAX_SECRET_LENGTH} characters`)
    .regex(/^[!-~]([ -~]*[!-~])?$/, "visible ASCII characters"),
  emptyToUndefined,
);

const Authentication = fields({
  scheme: z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,64}$/, "the name of an HTTP authentication scheme, such as Bearer"),
  credentials: Secret,
});

const DRAFT = {
  id: optional(Id, emptyToUndefined),
  url: z.string().min(1, "required, and not empty").max(MAX_URL_LENGTH, `at most ${MAX_URL_LENGTH} characters`),
  token: Secret,
  authentication: optional(Authentication),
};

/** As a message brings it: its task is the one that the message begins or continues. */
export const PushConfigOfMessage = fields({ tenant: Tenant, ...DRAFT });

const CreatePushConfig = fields({ tenant: Tenant, taskId: RequiredId, ...DRAFT });
const OnePushConfig = fields({ tenant: Tenant, taskId: RequiredId, id: RequiredId });
const PushConfigsOfTask = fields({ tenant: Tenant, taskId: RequiredId });

/** @throws Fault INVALID_PARAMS */
export function createPushConfigRequest(params: unknown): PushConfigDraft & { readonly taskId: string } {
  const { tenant, ...request } = parse(CreatePushConfig, params);
  return request as PushConfigDraft & { readonly taskId: string };
}

/** @throws Fault INVALID_PARAMS */
export function pushConfigRequest(params: unknown): PushConfigRequest {
  const { taskId, id } = parse(OnePushConfig, params);
  return { taskId, id };
}

/** All fit on one page, so that paging is ignored. @throws Fault INVALID_PARAMS */
export function pushConfigsRequest(params: unknown): TaskPushConfigsRequest {
  return { taskId: parse(PushConfigsOfTask, params).taskId };
}
