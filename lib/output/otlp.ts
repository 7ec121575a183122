// Pure. OTLP JSON lines: entries as spans, transitions as log records, a trace a session.
// Source: the OTLP JSON encoding (ids in hexadecimal, 64-bit numbers as text) and the GenAI semantic conventions.
import type { Activity, ActivityKind, SessionState, SessionTransition, TransitionCause } from "../session/model.ts";
import { type EndedSpan, EntrySpans } from "./entry_spans.ts";
import { fnv1a } from "./fnv.ts";
import type { EntryLookup, TransitionFormat } from "./format.ts";

/** The Collector cuts a line at 1 MiB by default, and half a line is none: long texts are cut here instead. */
const MAX_TEXT_UNITS = 4096;
/** A log record's severity: the protocol's number and its usual word. */
interface Severity {
  readonly number: number;
  readonly text: string;
}
const INFO: Severity = { number: 9, text: "INFO" };
const WARN: Severity = { number: 13, text: "WARN" };
const ERROR: Severity = { number: 17, text: "ERROR" };
/** How bad it is to come to a state; to come to any other is no news to be warned of. */
const SEVERITY_OF_STATE: Partial<Readonly<Record<SessionState, Severity>>> = { errored: ERROR, interrupted: WARN };
const KIND_INTERNAL = 1;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ZERO_ID = /^0+$/;

type Value = string | number | null;
type Attribute = { readonly key: string; readonly value: Readonly<Record<string, string>> };

/** Attributes of what is known; what is null is left out. */
function attributes(values: Readonly<Record<string, Value>>): Attribute[] {
  return Object.entries(values).flatMap(([key, value]): Attribute[] => {
    if (value === null) return [];
    if (typeof value === "number") return [{ key, value: { intValue: String(value) } }];
    return [{ key, value: { stringValue: short(value) } }];
  });
}

const short = (text: string): string => text.length <= MAX_TEXT_UNITS ? text : `${text.slice(0, MAX_TEXT_UNITS)}…`;

/** Nanoseconds since the epoch as text: as a number they would not be exact. There are none before it. */
const nanos = (epochMs: number): string => epochMs > 0 ? `${epochMs}000000` : "0";

/** How bad a record is: the state that it came to, or entries whose end nothing told. */
function severityOf({ from, to, abandoned }: SessionTransition): Severity {
  const reached = from === to ? undefined : SEVERITY_OF_STATE[to];
  return reached ?? (abandoned === undefined ? INFO : WARN);
}

/** A session's trace: its own id where that is a UUID, so that it can be found by it, else a hash of it. */
function traceIdOf(sessionId: string | null): string {
  const id = sessionId ?? "";
  const digits = UUID.test(id) ? id.replaceAll("-", "").toLowerCase() : fnv1a(id, 128);
  return ZERO_ID.test(digits) ? fnv1a(id, 128) : digits;
}

/** A span's id: the same whenever the same input is read again. */
function spanIdOf(traceId: string, span: { readonly entryId: string; readonly openedSeq: number }): string {
  const digits = fnv1a(`${traceId}\0${span.entryId}\0${span.openedSeq}`, 64);
  return ZERO_ID.test(digits) ? "0000000000000001" : digits;
}

/** What the conventions say of each kind of entry; where they know nothing of it, only our own attributes tell. */
const CONVENTIONS: Readonly<
  Record<ActivityKind, (name: string | null, entryId: string) => Readonly<Record<string, Value>>>
> = {
  tool: (name, entryId) => ({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": entryId,
  }),
  subagent: (name, entryId) => ({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
    "gen_ai.agent.id": entryId,
  }),
  requesting: () => ({ "gen_ai.operation.name": "chat" }),
  compacting: () => ({}),
  permission: (name) => ({ "gen_ai.tool.name": name }),
  elicitation: () => ({}),
};

const NAMES: Readonly<Record<ActivityKind, string>> = {
  tool: "execute_tool",
  subagent: "invoke_agent",
  requesting: "chat",
  compacting: "compacting",
  permission: "permission",
  elicitation: "elicitation",
};

const nameOf = ({ kind, name }: Activity): string => name === null ? NAMES[kind] : short(`${NAMES[kind]} ${name}`);

const causeName = ({ kind, event }: TransitionCause): string => `${kind}/${event}`;

const RESOURCE = { attributes: attributes({ "service.name": "vigil" }) };
const SCOPE = { name: "vigil" };

const spanLine = (span: unknown): string =>
  `${JSON.stringify({ resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: SCOPE, spans: [span] }] }] })}\n`;

const logLine = (logRecord: unknown): string =>
  `${
    JSON.stringify({ resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: SCOPE, logRecords: [logRecord] }] }] })
  }\n`;

interface Session {
  readonly traceId: string;
  readonly spans: EntrySpans;
  /** Spans of subagents that have not ended, for the entries that belong to them. */
  readonly agentSpanIds: Map<string, string>;
}

/**
 * OTLP JSON lines as the OpenTelemetry Collector's `otlpjsonfile` receiver reads them; each line holds one signal, and
 * each of its pipelines takes the lines of its own. A span is printed when its entry ends or the input does.
 */
export function otlpFormat(entryOf: EntryLookup): TransitionFormat {
  const sessions = new Map<string | null, Session>();

  function sessionOf(sessionId: string | null): Session {
    let session = sessions.get(sessionId);
    if (session === undefined) {
      session = { traceId: traceIdOf(sessionId), spans: new EntrySpans(entryOf), agentSpanIds: new Map() };
      sessions.set(sessionId, session);
    }
    return session;
  }

  function span(sessionId: string | null, session: Session, ended: EndedSpan): string {
    const { activity, entryId, agentId } = ended;
    const spanId = spanIdOf(session.traceId, ended);
    const parentSpanId = agentId === null || agentId === entryId ? undefined : session.agentSpanIds.get(agentId);
    if (activity.kind === "subagent") session.agentSpanIds.delete(entryId);
    return spanLine({
      traceId: session.traceId,
      spanId,
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name: nameOf(activity),
      kind: KIND_INTERNAL,
      startTimeUnixNano: nanos(ended.openedAt),
      // A clock that ran backwards is told by the attribute; backends take no span that ends before it starts.
      endTimeUnixNano: nanos(Math.max(ended.openedAt, ended.endedAt)),
      attributes: attributes({
        ...CONVENTIONS[activity.kind](activity.name, entryId),
        "gen_ai.conversation.id": sessionId,
        "vigil.entry.id": entryId,
        "vigil.entry.kind": activity.kind,
        "vigil.entry.lane": ended.lane,
        "vigil.entry.agent_id": agentId,
        "vigil.entry.end": ended.end,
        "vigil.entry.opened_by": causeName(ended.openedBy),
        "vigil.entry.opened_detail": ended.openedBy.detail,
        "vigil.entry.ended_by": ended.endedBy === null ? null : causeName(ended.endedBy),
        "vigil.entry.ended_detail": ended.endedBy?.detail ?? null,
        "vigil.clock_back_ms": ended.endedAt < ended.openedAt ? ended.openedAt - ended.endedAt : null,
      }),
    });
  }

  function transition(record: SessionTransition): string {
    const { sessionId, cause, activity } = record;
    const session = sessionOf(sessionId);
    const before = record.entryId === null ? undefined : session.spans.get(record.entryId);
    const { opened, ended } = session.spans.take(record);
    const about = opened ?? before;
    if (opened?.activity.kind === "subagent") {
      session.agentSpanIds.set(opened.entryId, spanIdOf(session.traceId, opened));
    }
    const severity = severityOf(record);
    const log = logLine({
      timeUnixNano: nanos(Date.parse(record.at)),
      severityNumber: severity.number,
      severityText: severity.text,
      body: { stringValue: short(`${record.from} → ${record.to}: ${cause.detail}`) },
      attributes: attributes({
        "gen_ai.conversation.id": sessionId,
        "process.working_directory": record.where.cwd,
        "vigil.seq": record.seq,
        "vigil.from": record.from,
        "vigil.to": record.to,
        "vigil.activity.kind": activity?.kind ?? null,
        "vigil.activity.name": activity?.name ?? null,
        "vigil.cause.kind": cause.kind,
        "vigil.cause.event": cause.event,
        "vigil.entry.id": record.entryId,
        "vigil.entry.op": record.entryOp,
        "vigil.entry.abandoned_count": record.abandoned?.length ?? null,
      }),
      traceId: session.traceId,
      ...(about === undefined ? {} : { spanId: spanIdOf(session.traceId, about) }),
      eventName: "vigil.transition",
    });
    return ended.reduce((text, one) => text + span(sessionId, session, one), log);
  }

  return {
    transition,
    snapshot: () => "",
    end: (_snapshots, endAt) => {
      let text = "";
      for (const [sessionId, session] of sessions) {
        for (const one of session.spans.rest(endAt)) text += span(sessionId, session, one);
      }
      return text;
    },
  };
}
