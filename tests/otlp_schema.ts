// The published OTLP schema, as the OpenTelemetry project generates it for JavaScript.
// deno-lint-ignore no-import-prefix -- only these tests need it; the map in deno.json is for what the product uses
import root from "npm:@opentelemetry/otlp-transformer@0.203.0/build/src/generated/root.js";

/** A message type of the schema, as protobufjs generates it. */
export interface MessageType {
  fromObject(object: unknown): unknown;
  encode(message: unknown): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: Readonly<Record<string, unknown>>): unknown;
}

interface Root {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: MessageType } };
        readonly logs: { readonly v1: { readonly ExportLogsServiceRequest: MessageType } };
      };
    };
  };
}

// Its declarations name a class of protobufjs, which does not tell what is in it.
const { collector } = (root as unknown as Root).opentelemetry.proto;

/** The type of a line, by the key it has. */
export const LINE_TYPES: Readonly<Record<string, MessageType>> = {
  resourceSpans: collector.trace.v1.ExportTraceServiceRequest,
  resourceLogs: collector.logs.v1.ExportLogsServiceRequest,
};
