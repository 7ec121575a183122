// Pure. What the observer remembers of one session beside its record, and the moves that hooks and messages share.
import { fingerprint } from "./fingerprint.ts";
import type { EntryOp, Result, SessionStateMachine } from "./machine.ts";
import type {
  Activity,
  CauseKind,
  Lane,
  OpenEntry,
  SessionState,
  SessionTransition,
  TransitionCause,
  TransitionWhere,
} from "./model.ts";
import {
  askingCall,
  type CallSign,
  deniedPermission,
  isUnpaired,
  namelessCall,
  type Note,
  type Permission,
  permissionId,
  permissionIdFor,
  subjectOf,
} from "./pairing.ts";

/** How often the evidence did not pair cleanly. One object may count for many sessions. */
export interface PairingCounts {
  /** Ends of something that was not open. */
  unmatched: number;
  /** Starts of something that was open already. */
  duplicate: number;
  /** Requests and ends for which more than one open call could be meant. */
  ambiguous: number;
}

/** Ids under which only one entry can be open in a session. */
export const COMPACTION_ENTRY = "compaction";
export const REQUEST_ENTRY = "request";

/** A turn is `unknown` in a session first seen in the middle, and counts as open. */
type Turn = "unknown" | "open" | "closed";

/** Above so many, subagents that are over are forgotten. */
const MAX_JOINED_AGENTS = 256;

/** States in which nothing may hold the session. */
const RESTING: ReadonlySet<SessionState> = new Set(["idle", "errored", "interrupted", "ended"]);

/** A call, and what one may wait for. */
const CALL_KINDS: ReadonlySet<Activity["kind"]> = new Set(["tool", "permission", "elicitation"]);

/** A string, if it is one and not empty. */
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** How long something took, for a detail; empty where that is not told. JSON has numbers that are infinite here. */
export const afterText = (ms: unknown): string => Number.isFinite(ms) ? ` after ${ms} ms` : "";

/** A server's name as tool names spell it. */
const serverKey = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_");

/** Sessions by the thousand work in a few places; above so many the memory of them starts again. */
const MAX_PLACES = 256;
const places = new Map<string, TransitionWhere>();

/** Where a session works, as far as its events tell. */
function whereAt(cwd: string): TransitionWhere {
  let where = places.get(cwd);
  if (where === undefined) {
    if (places.size === MAX_PLACES) places.clear();
    const unknownReason = "no event tells the worktree or the branch";
    where = Object.freeze({ cwd, worktree: null, branch: null, unknownReason });
    places.set(cwd, where);
  }
  return where;
}

/** What an event gives to its records, and what it made of the session so far. */
interface EventInHand {
  readonly name: string;
  /** The client's own name of it, where that is another. */
  readonly native: string | null;
  readonly cwd: string | null;
  sessionId: string | undefined;
  revives: boolean;
  /** What the next record must say of how sure it is. */
  uncertainty: string | null;
  readonly records: Result<SessionTransition>[];
}

/** Between events; shared by all sessions, so that an open one keeps nothing of its last event. */
const NO_EVENT: EventInHand = Object.freeze({
  name: "",
  native: null,
  cwd: null,
  sessionId: undefined,
  revives: false,
  uncertainty: null,
  records: [],
});

/** The memory of one session. Lanes read an event and call these moves; every move ends in records. */
export class SessionTracker {
  readonly machine: SessionStateMachine;
  readonly counts: PairingCounts;
  turn: Turn = "unknown";
  /** What told the turn's end since the last prompt or init: the `result` that follows tells nothing new. */
  turnEndBy: CauseKind | null = null;
  /** Inits that no `result` has followed: the results of several turns may come together, after the last. */
  resultsOwed = 0;
  /** Prompts of turns that no init has followed; below zero, inits before their prompt. */
  promptsAhead = 0;
  hooksSeen = false;
  /** Hooks tell this session's calls; the stream need not open them again. */
  callHooksSeen = false;
  /** The compaction in flight runs outside a turn. */
  compactsOutsideTurn = false;
  /** The prompt that main-thread entries are opened under now. */
  promptId: string | null = null;
  #inHand: EventInHand = NO_EVENT;
  /** Of the event in hand, else of the last one. */
  #kind: CauseKind = "hook";

  #namelessCount = 0;
  #notes: Map<string, Note> | null = null;
  #permissions: Map<string, Permission> | null = null;
  /** id of a call -> the permission it asked for last */
  #permissionOfCall: Map<string, string> | null = null;
  /** task id -> the entry its work is recorded under */
  #tasks: Map<string, string> | null = null;
  /** id of the call that started a subagent -> the subagent's id */
  #agents: Map<string, string> | null = null;

  constructor(machine: SessionStateMachine, counts: PairingCounts) {
    this.machine = machine;
    this.counts = counts;
  }

  /**
   * Takes an event in hand: the records from now on are caused by it. `cwd` is that of a main-thread payload; `told` is
   * the session's id in it, and counts where none is known yet.
   */
  begin(kind: CauseKind, name: string, native: string | null, cwd: string | null, told: unknown): void {
    const sessionId = this.machine.sessionId === null ? textOf(told) ?? undefined : undefined;
    this.#kind = kind;
    this.#inHand = { name, native, cwd, sessionId, revives: false, uncertainty: null, records: [] };
  }

  /** Hands the records of the event in hand over. */
  takeRecords(): Result<SessionTransition>[] {
    const { records } = this.#inHand;
    this.#inHand = NO_EVENT;
    return records;
  }

  #doubt(uncertainty: string): void {
    this.counts.ambiguous++;
    this.#inHand.uncertainty = uncertainty;
  }

  /** The name of the event in hand. */
  get event(): string {
    return this.#inHand.name;
  }

  /** The session has ended and the event in hand does not start it again. */
  get isOver(): boolean {
    return this.machine.state === "ended" && !this.#inHand.revives;
  }

  /** The event in hand names the session, whatever was known before. */
  nameSession(sessionId: string): void {
    this.#inHand.sessionId = sessionId;
  }

  /** A hook has told the end of the turn that the stream still writes of. */
  get isStreamBehind(): boolean {
    return this.turn === "closed" && this.turnEndBy === "hook";
  }

  /** A hook has told the prompt of the turn that is open, and the stream has not come to its init. */
  get isStreamTurnsBehind(): boolean {
    return this.turn === "open" && this.promptsAhead > 0;
  }

  /** Lets the event in hand start an ended session again. */
  revive(): void {
    this.#inHand.revives = true;
  }

  /** Makes one record. After the end a record keeps the end. */
  record(to: SessionState, detail: string, entry?: EntryOp, cwd: string | null = this.#inHand.cwd): void {
    const { machine } = this;
    const inHand = this.#inHand;
    const { native, uncertainty, sessionId } = inHand;
    const where = cwd === null || cwd === machine.where.cwd ? undefined : whereAt(cwd);
    let words = detail;
    if (uncertainty !== null) {
      words += `; ${uncertainty}`;
      inHand.uncertainty = null;
    }
    if (native !== null) words += ` (${native})`;
    const cause = { kind: this.#kind, event: inHand.name, detail: words } as TransitionCause;
    const result = machine.record({ to: this.isOver ? "ended" : to, cause, entry, where, sessionId });
    inHand.records.push(result);
    if (result.ok && result.value.abandoned !== undefined) this.#forgetAbandoned(result.value.abandoned);
  }

  // --- lifecycle ---

  /** The state after an event that neither opens nor ends anything. A subagent at work shows that the session works. */
  keeping(agentId: string | null): SessionState {
    const { state } = this.machine;
    return agentId !== null && (state === "spawning" || state === "ready") ? "working" : state;
  }

  /** The state after an event that opens something: the main thread's opens a turn, a subagent's moves nothing. */
  opening(agentId: string | null): SessionState {
    if (agentId !== null) return this.keeping(agentId);
    if (!this.isOver) {
      this.turn = "open";
      this.compactsOutsideTurn = false;
    }
    return "working";
  }

  /** The state after an event that only ends something: a late one must not wake an idle session. */
  ending(agentId: string | null): SessionState {
    return agentId !== null || this.turn === "closed" ? this.keeping(agentId) : "working";
  }

  /** A session whose process is new has no turn and no prompt. */
  startOver(): void {
    this.turn = "closed";
    this.promptsAhead = 0;
    this.compactsOutsideTurn = false;
    this.promptId = null;
  }

  /**
   * Ends the turn: nothing stays in the foreground.
   *
   * `running` is the list of background tasks where the event has one. `ended` is the entry whose own end the event
   * is as well.
   */
  endTurn(
    to: SessionState,
    detail: string,
    running: ReadonlyMap<string, unknown> | null,
    ended: string | null = null,
  ): void {
    if (this.isOver) return this.record(to, detail);
    this.closeRequest("the turn ended");
    this.closeVanishedTasks(running);
    const left: string[] = [];
    const unlisted: string[] = [];
    const toBackground: string[] = [];
    const hasTeammate = running !== null && [...running.values()].includes("teammate");
    for (const entry of this.machine.entries()) {
      if (entry.abandonedAt !== null || entry.entryId === ended) continue;
      if (entry.agentId === null) {
        if (entry.lane === "foreground") left.push(entry.entryId);
      } else if (running === null || running.has(entry.agentId) || hasTeammate) {
        if (entry.lane === "foreground") toBackground.push(entry.entryId);
      } else if (!this.isBackgroundTask(entry)) {
        unlisted.push(entry.entryId);
      }
    }
    const { state } = this.machine;
    const why = running === null
      ? "the turn ended, and nothing tells that this subagent did"
      : "the turn ended while this subagent goes on";
    for (const entryId of toBackground) this.record(state, why, { op: "background", entryId });
    if (unlisted.length > 0) {
      const reason = `${this.event} does not list this subagent as running`;
      this.record(state, reason, { op: "abandon", entryIds: unlisted, reason });
    }
    const reason = `${this.event} ended the turn with this entry still open`;
    const abandon: EntryOp | undefined = left.length > 0 ? { op: "abandon", entryIds: left, reason } : undefined;
    this.turn = "closed";
    this.turnEndBy = this.#kind;
    this.compactsOutsideTurn = false;
    if (ended === null) return this.record(to, detail, abandon);
    if (abandon !== undefined) this.record(state, reason, abandon);
    this.close(ended, to, detail);
  }

  /** Closes background tasks that a list of what still runs no longer names. */
  closeVanishedTasks(running: ReadonlyMap<string, unknown> | null): void {
    if (running === null) return;
    for (const entry of [...this.machine.entries()]) {
      if (entry.abandonedAt !== null || !this.isBackgroundTask(entry)) continue;
      const taskId = this.#notes?.get(entry.entryId)?.taskId as string;
      if (running.has(taskId)) continue;
      this.forgetTask(taskId);
      this.endCall(entry.entryId, this.machine.state, `${this.event} no longer lists task ${taskId}`);
    }
  }

  /** Whether the entry is a call whose work goes on in the background under a task id. */
  isBackgroundTask(entry: OpenEntry): boolean {
    return entry.lane === "background" && entry.activity.kind !== "subagent" &&
      (this.#notes?.get(entry.entryId)?.taskId ?? null) !== null;
  }

  /** The main thread's foreground entries that were opened under another prompt than the one in hand. */
  leftByOtherPrompt(): string[] {
    const { promptId } = this;
    if (promptId === null) return [];
    const left: string[] = [];
    for (const entry of this.machine.entries()) {
      if (entry.abandonedAt !== null || entry.lane !== "foreground" || entry.agentId !== null) continue;
      const openedUnder = (this.#permissions?.get(entry.entryId) ?? this.#notes?.get(entry.entryId))?.promptId ?? null;
      if (openedUnder !== null && openedUnder !== promptId) left.push(entry.entryId);
    }
    return left;
  }

  /** The main thread's foreground calls and what they wait for. */
  leftByOtherTurn(): string[] {
    const left: string[] = [];
    for (const entry of this.machine.entries()) {
      if (entry.abandonedAt !== null || entry.lane !== "foreground" || entry.agentId !== null) continue;
      if (CALL_KINDS.has(entry.activity.kind)) left.push(entry.entryId);
    }
    return left;
  }

  // --- entries ---

  /** The lane for a new entry: what a subagent opens beside the turn must not hold the session. */
  laneFor(agentId: string | null): Lane {
    if (agentId === null) return "foreground";
    const own = this.machine.entry(agentId);
    const ownLeft = own !== undefined && (own.lane === "background" || own.abandonedAt !== null);
    return ownLeft ? "background" : this.laneForAgent();
  }

  /** The lane for a subagent that starts. */
  laneForAgent(): Lane {
    return this.turn === "closed" || RESTING.has(this.machine.state) ? "background" : "foreground";
  }

  isLive(entryId: string): boolean {
    return this.machine.entry(entryId)?.abandonedAt === null;
  }

  /** Whether anything but this entry holds the session. */
  holdsBesides(entryId: string): boolean {
    for (const entry of this.machine.entries()) {
      if (entry.lane === "foreground" && entry.abandonedAt === null && entry.entryId !== entryId) return true;
    }
    return false;
  }

  isKnown(entryId: string): boolean {
    return this.machine.entry(entryId) !== undefined;
  }

  /** Opens an entry. `note` is what pairing needs to know of it. */
  open(
    entryId: string,
    activity: Activity,
    agentId: string | null,
    to: SessionState,
    detail: string,
    note: Partial<Note> = {},
    lane: Lane = this.laneFor(agentId),
  ): void {
    if (this.isOver) return this.record(to, detail);
    const again = this.isLive(entryId);
    if (again) this.counts.duplicate++;
    else this.#remember(entryId, agentId, note);
    this.record(to, again ? `${detail}; it was open already` : detail, {
      op: "open",
      entryId,
      activity,
      lane,
      agentId,
    });
  }

  #remember(entryId: string, agentId: string | null, known: Partial<Note>): Note {
    const { tool = null, server = null, inputPrint = null, nameless = false } = known;
    const promptId = agentId === null ? this.promptId : null;
    // Before the entry is there, so that its own note stays.
    this.#forgetDropped(this.#notes);
    this.#notes ??= new Map();
    this.#notes.delete(entryId);
    const plain: Note = { tool, server, agentId, inputPrint, promptId, nameless, taskId: null, refused: false };
    // A field more only where there is no id: notes are most of what an open session costs.
    const note = nameless ? { ...plain, subjectPrint: known.subjectPrint } : plain;
    this.#notes.set(entryId, note);
    return note;
  }

  #forgetNote(entryId: string): void {
    this.#notes?.delete(entryId);
    if (this.#notes?.size === 0) this.#notes = null;
  }

  /** A late end finds an abandoned call by its id alone, and a session may keep a thousand of them. */
  #forgetAbandoned(entryIds: readonly string[]): void {
    for (const entryId of entryIds) {
      const note = this.#notes?.get(entryId);
      if (note === undefined || note.nameless || note.server !== null || note.taskId !== null) continue;
      this.#forgetNote(entryId);
    }
  }

  /** The machine may have dropped abandoned entries; what is known of them goes once it is more than there are entries. */
  #forgetDropped(known: ReadonlyMap<string, unknown> | null): void {
    if (known === null || known.size <= 2 * this.machine.entryCount + 16) return;
    for (const id of [...known.keys()].filter((id) => !this.isKnown(id))) {
      this.#forgetNote(id);
      this.#forgetPermission(id);
    }
  }

  /** Closes an entry; one that is not open is recorded all the same and counted. */
  close(entryId: string, to: SessionState, detail: string): void {
    const known = this.isKnown(entryId);
    if (!known) this.counts.unmatched++;
    this.#forgetNote(entryId);
    this.#forgetPermission(entryId);
    this.record(to, known ? detail : `${detail}; it was not open`, { op: "close", entryId });
  }

  /** Closes a call's entry, and what its server asked once no other call is open there. */
  endCall(entryId: string, to: SessionState, detail: string, told: string | null = null): void {
    const server = this.#notes?.get(entryId)?.server ?? told;
    this.close(entryId, to, detail);
    if (server !== null) this.#closeElicitationsOf(serverKey(server));
  }

  /** Moves an entry to the background, where `taskId` names its work. */
  background(entryId: string, taskId: string | null, to: SessionState, detail: string): void {
    if (taskId !== null) this.#noteTask(entryId, taskId);
    const known = this.isKnown(entryId);
    if (!known) this.counts.unmatched++;
    this.record(to, known ? detail : `${detail}; it was not open`, { op: "background", entryId });
  }

  /** The model request is over: something of its answer came. Tells whether one was open. */
  closeRequest(detail: string, to: SessionState = this.machine.state): boolean {
    const request = this.machine.entry(REQUEST_ENTRY);
    // After the end an answer that comes late still ends its request; a new run's answer says nothing about an old one.
    if (request === undefined || (request.abandonedAt !== null && !this.isOver)) return false;
    this.close(REQUEST_ENTRY, to, detail);
    return true;
  }

  /** Compaction in or outside a turn. It opens no turn: outside one the session returns to `idle`. */
  openCompaction(agentId: string | null, detail: string): void {
    if (agentId === null && this.turn === "closed" && !this.isOver) this.compactsOutsideTurn = true;
    const to = agentId === null ? "working" : this.keeping(agentId);
    this.open(COMPACTION_ENTRY, { kind: "compacting", name: null }, agentId, to, detail);
  }

  /** The state once a compaction is over. */
  afterCompaction(agentId: string | null): SessionState {
    const outside = this.compactsOutsideTurn;
    this.compactsOutsideTurn = false;
    return outside && !this.holdsBesides(COMPACTION_ENTRY) ? "idle" : this.ending(agentId);
  }

  // --- calls ---

  /** Opens a call's entry; a call without an id is numbered. */
  openCall(sign: CallSign, server: string | null, to: SessionState, detail: string): void {
    const { tool, agentId } = sign;
    const nameless = sign.callId === null;
    const entryId = sign.callId ?? `tool:${tool}:${++this.#namelessCount}`;
    const inputPrint = fingerprint(sign.input);
    const known: Partial<Note> = { tool, server, inputPrint, nameless };
    const note = nameless ? { ...known, subjectPrint: fingerprint(subjectOf(sign.input) ?? undefined) } : known;
    this.open(entryId, { kind: "tool", name: tool }, agentId, to, detail, note);
  }

  /** The entry of a call: by its id, or by what else is known of it. */
  entryOf(sign: CallSign): string | null {
    if (sign.callId !== null) return sign.callId;
    const { entryId, isDoubtful } = namelessCall(this, this.#notes, sign);
    if (isDoubtful) this.#doubt("more than one open call may be meant");
    return entryId;
  }

  /** Ends what waited for the call: its permission, and that of its tool which no call is known for. */
  closePermissionsOf(callId: string | null, tool: string | null, agentId: string | null, detail: string): void {
    const own = callId === null ? undefined : this.#permissionOfCall?.get(callId);
    if (own !== undefined && this.isKnown(own)) this.close(own, this.ending(agentId), detail);
    if (this.#permissions === null || this.#permissions.size === 0) return;
    const unpaired = permissionId(tool);
    if (isUnpaired(this, this.#permissions, unpaired, agentId)) this.close(unpaired, this.ending(agentId), detail);
  }

  #closeElicitationsOf(server: string): void {
    const isOfServer = (name: string | null) => name !== null && serverKey(name) === server;
    const questions = [...this.machine.entries()].filter(({ activity, abandonedAt }) =>
      activity.kind === "elicitation" && abandonedAt === null && isOfServer(activity.name)
    );
    if (questions.length === 0) return;
    for (const [entryId, note] of this.#notes ?? []) {
      if (note.tool !== null && isOfServer(note.server) && this.isLive(entryId)) return;
    }
    for (const entry of questions) {
      this.close(entry.entryId, this.ending(entry.agentId), `the call that ${entry.activity.name} asked for is over`);
    }
  }

  // --- permissions ---

  /** Opens the permission that an event asks for, paired with the call it belongs to. */
  openPermission(sign: CallSign, to: SessionState): void {
    const callId = sign.callId ?? this.#askingCall(sign);
    const tool = sign.tool ?? (callId === null ? null : this.#notes?.get(callId)?.tool) ?? "unknown";
    const entryId = permissionIdFor(this, this.#permissionOfCall, tool, callId);
    const activity: Activity = { kind: "permission", name: tool };
    const detail = `waiting for permission to use ${tool}`;
    if (this.isOver) return this.record(to, detail);
    const { agentId } = sign;
    const again = this.isLive(entryId);
    if (again) this.counts.duplicate++;
    else {
      const promptId = agentId === null ? this.promptId : null;
      this.#forgetPermission(entryId);
      this.#forgetDropped(this.#permissions);
      this.#permissions ??= new Map();
      this.#permissions.set(entryId, { tool, agentId, promptId, callId });
      if (callId !== null) (this.#permissionOfCall ??= new Map()).set(callId, entryId);
    }
    const lane = this.laneFor(agentId);
    this.record(to, again ? `${detail}; it was open already` : detail, {
      op: "open",
      entryId,
      activity,
      lane,
      agentId,
    });
  }

  /** The permission that a denial ends; null where another call holds it. */
  deniedPermission(sign: CallSign): string | null {
    return deniedPermission(this, this.#permissions, this.#permissionOfCall, sign);
  }

  #forgetPermission(entryId: string): void {
    const callId = this.#permissions?.get(entryId)?.callId ?? null;
    if (callId !== null) this.#permissionOfCall?.delete(callId);
    this.#permissions?.delete(entryId);
  }

  #askingCall(sign: CallSign): string | null {
    const { entryId, isDoubtful } = askingCall(this, this.#notes, this.#permissionOfCall, sign);
    if (isDoubtful) this.#doubt("more than one open call may have asked");
    return entryId;
  }

  // --- subagents and tasks ---

  /** A subagent is over, however: the calls it left open are abandoned. */
  abandonCallsOf(agentId: string, reason: string): void {
    const left: string[] = [];
    for (const entry of this.machine.entries()) {
      if (entry.agentId !== agentId || entry.entryId === agentId || entry.abandonedAt !== null) continue;
      if (!this.isBackgroundTask(entry)) left.push(entry.entryId);
    }
    if (left.length > 0) this.record(this.machine.state, reason, { op: "abandon", entryIds: left, reason });
  }

  /** A subagent goes on beside the turn: so does what it has open. */
  backgroundAgent(agentId: string, detail: string): void {
    const held = [...this.machine.entries()].filter((entry) => entry.agentId === agentId && entry.abandonedAt === null);
    for (const { entryId, lane } of held) {
      if (lane === "foreground") this.record(this.machine.state, detail, { op: "background", entryId });
    }
  }

  /** Joins a task to the entry of the call that started it. */
  joinTask(taskId: string, entryId: string): void {
    this.#tasks ??= new Map();
    this.#tasks.set(taskId, entryId);
    if (this.#tasks.size > 2 * this.machine.entryCount + 64) {
      for (const [id, joined] of this.#tasks) if (id !== taskId && !this.isKnown(joined)) this.#tasks.delete(id);
    }
    this.#noteTask(entryId, taskId);
  }

  /** Of an entry that was abandoned and goes on in the background, the note is made anew. */
  #noteTask(entryId: string, taskId: string): void {
    const entry = this.machine.entry(entryId);
    if (entry === undefined) return;
    const note = this.#notes?.get(entryId) ?? this.#remember(entryId, entry.agentId, {});
    note.taskId = taskId;
  }

  /** The entry that a task's work is recorded under. */
  entryOfTask(taskId: string): string | null {
    return this.#tasks?.get(taskId) ?? null;
  }

  /** Ends a task: its call's entry and, where it is a subagent, the subagent's. */
  endTask(taskId: string, callId: string | null, detail: string): void {
    const entryId = callId ?? this.entryOfTask(taskId);
    if (entryId !== null && this.isKnown(entryId)) this.endCall(entryId, this.machine.state, detail);
    this.forgetTask(taskId);
    if (!this.isKnown(taskId)) return;
    this.close(taskId, this.machine.state, detail);
    this.abandonCallsOf(taskId, `${this.event} ended its subagent with this entry still open`);
  }

  forgetTask(taskId: string): void {
    this.#tasks?.delete(taskId);
  }

  /** Joins a subagent to the call that started it. */
  joinAgent(callId: string, agentId: string): void {
    this.#agents ??= new Map();
    this.#agents.set(callId, agentId);
    // Messages of a subagent may come after its end, so that the oldest go only once they are many.
    if (this.#agents.size > MAX_JOINED_AGENTS) {
      for (const [id, joined] of this.#agents) if (id !== callId && !this.isKnown(joined)) this.#agents.delete(id);
    }
  }

  /** The subagent that a call started: its own id where that was told, else the call's. */
  agentOf(callId: string): string {
    return this.#agents?.get(callId) ?? callId;
  }

  /** The process is over, and with it its turn and its tasks. */
  processOver(): void {
    this.turn = "closed";
    this.turnEndBy = this.#kind;
    this.#tasks = null;
    this.#agents = null;
  }

  // --- what the stream says about refused calls ---

  /** The user refused this call: it ends with the batch or with the next answer. */
  markRefused(entryId: string): void {
    const note = this.#notes?.get(entryId);
    if (note !== undefined) note.refused = true;
  }

  /** Closes refused calls: the next answer came, of the main thread or of the subagent that called. */
  closeRefused(agentId: string | null): void {
    for (const [entryId, note] of [...(this.#notes ?? [])]) {
      if (!note.refused || (agentId !== null && note.agentId !== agentId) || !this.isLive(entryId)) continue;
      this.closePermissionsOf(entryId, note.tool, note.agentId, `${note.tool} was refused`);
      this.endCall(entryId, this.machine.state, `${note.tool} was refused and the agent goes on`);
    }
  }
}
