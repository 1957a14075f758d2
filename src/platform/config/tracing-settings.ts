import { z } from "zod";
import { decimal, label, oneOf, webAddress } from "./schemas.ts";
import { headerValues, keysIn } from "./secrets.ts";

/** The part of the settings table about traces, by the names that OpenTelemetry gives them. */
export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: webAddress.optional(),
    about:
      "OpenTelemetry collector for traces (OTLP over HTTP, JSON), e.g. `http://127.0.0.1:4318`; without one, no traces are made",
    secret: keysIn,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().optional(),
    about: "Headers for the collector, such as its token: `name=value`, comma-separated, values percent-encoded",
    secret: headerValues,
  },
  OTEL_SERVICE_NAME: { schema: label.default("beckon"), about: "Name of the service in traces" },
  OTEL_TRACES_SAMPLER: {
    schema: oneOf(
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ).default("parentbased_always_on"),
    about: "Which traces are recorded; after `parentbased_`, a request that belongs to a trace follows its caller",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: decimal(0, 1).default(1),
    about: "Share of the traces that the samplers by ratio record, from 0 to 1",
  },
} as const;
