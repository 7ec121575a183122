// Pure. What each wired message of an agent's output stream does to a session: one handler a message, in one table.
import type { WiredMessageEvent } from "./coverage.ts";
import { backgroundTaskOf, serverOf } from "./hook_lane.ts";
import type { SdkMessage } from "./input.ts";
import { afterText, COMPACTION_ENTRY, REQUEST_ENTRY, type SessionTracker, textOf } from "./tracker.ts";

type Handler = (session: SessionTracker, message: SdkMessage) => void;

interface Block {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly tool_use_id?: unknown;
  readonly is_error?: unknown;
}

/** The content blocks of a message of one type. */
function blocksOf(message: SdkMessage, type: string): Block[] {
  const body = message.message as { content?: unknown } | null | undefined;
  const content = typeof body === "object" ? body?.content : undefined;
  if (!Array.isArray(content)) return [];
  return content.filter((block) => typeof block === "object" && block !== null && block.type === type);
}

/** The subagent a message comes from; null for the main thread. */
function agentOf(session: SessionTracker, message: SdkMessage): string | null {
  const parent = textOf(message.parent_tool_use_id);
  return parent === null ? null : textOf(message.agent_id) ?? session.agentOf(parent);
}

/** Why the call was never run, by its result; null where that does not say so. */
function whyNotRun(message: SdkMessage, callId: string): string | null {
  if (message.tool_use_result === USER_REJECTED_RESULT) return USER_REJECTED;
  if (!Array.isArray(message.tool_result_meta)) return null;
  const meta = message.tool_result_meta.find((meta) => typeof meta === "object" && meta !== null && meta.id === callId);
  return textOf(meta?.non_execution_kind);
}

const USER_REJECTED = "user-rejected";
const USER_REJECTED_RESULT = "User rejected tool use";

const EARLIER_TURN = "of a turn before the one that is open";

const TASK_ENDS: ReadonlySet<unknown> = new Set(["completed", "failed", "killed"]);

/** Every wired message. A missing handler does not compile, nor does one for a declined message. */
export const MESSAGE_HANDLERS: { readonly [Event in WiredMessageEvent]: Handler } = {
  "assistant"(session, message) {
    const agentId = agentOf(session, message);
    session.closeRefused(agentId);
    if (agentId === null) session.closeRequest("the model answered");
    // It must not wake the session: a turn that follows has told its own start.
    if (agentId === null && session.isStreamBehind) return;
    // Where a dialect gives a call another id in each lane, the stream must not open it even once.
    const areHooked = session.callHooksSeen || (session.hooksSeen && message.nativeEvent !== undefined);
    const calls = areHooked ? [] : blocksOf(message, "tool_use");
    const to = session.opening(agentId);
    for (const { id, name, input } of calls) {
      const sign = { tool: textOf(name), callId: textOf(id), agentId, input };
      if (sign.callId === null || session.isOver) continue;
      // A new process of Codex counts its calls from the start again. Where hooks mark what is over, the stream may be late.
      if (session.hooksSeen ? session.isKnown(sign.callId) : session.isLive(sign.callId)) continue;
      session.openCall(sign, serverOf(sign.tool, undefined), to, `call of ${sign.tool} started`);
    }
    if (session.machine.state !== to && !session.isOver) session.record(to, "an answer is coming in");
  },

  "user"(session, message) {
    const agentId = agentOf(session, message);
    for (const block of blocksOf(message, "tool_result")) {
      const callId = textOf(block.tool_use_id);
      const entry = callId === null ? undefined : session.machine.entry(callId);
      // The result of a call that went to the background only says that it did.
      if (callId === null || entry === undefined || session.isBackgroundTask(entry)) continue;
      const tool = entry.activity.name;
      const notRun = whyNotRun(message, callId);
      if (notRun === USER_REJECTED) {
        // Not the call's end: an interrupt says the same.
        session.markRefused(callId);
        continue;
      }
      const taskId = backgroundTaskOf(tool, message.tool_use_result);
      const settled = notRun === null ? "was allowed: its result came" : `was not run: ${notRun}`;
      session.closePermissionsOf(callId, tool, agentId, `${tool} ${settled}`);
      if (taskId === null) {
        const outcome = notRun !== null ? `was not run: ${notRun}` : block.is_error === true ? "failed" : "ended";
        session.endCall(callId, session.ending(agentId), `call of ${tool} ${outcome}`);
      } else {
        session.joinTask(taskId, callId);
        const detail = `${tool} goes on in the background as task ${taskId}`;
        session.background(callId, taskId, session.ending(agentId), detail);
      }
    }
  },

  "result"(session, message) {
    session.closeRequest("the turn's result came");
    const reason = textOf(message.terminal_reason);
    const interrupted = reason?.startsWith("aborted_") === true;
    const failed = message.is_error === true || (message.is_error === undefined && message.subtype !== "success");
    const to = interrupted ? "interrupted" : failed ? "errored" : "idle";
    const took = afterText(message.duration_ms);
    const subtype = textOf(message.subtype) ?? "subtype not told";
    // An API error comes as a success that is an error.
    const outcome = failed && subtype === "success" ? "an error, its subtype success" : subtype;
    const how = `${outcome}${reason === null ? "" : `, ${reason}`}`;
    // What the client says of an interrupt is for its own makers.
    const errors = interrupted || !Array.isArray(message.errors)
      ? []
      : message.errors.flatMap((it) => textOf(it) ?? []);
    const detail = [`result of the turn${took}: ${how}`, ...errors].join(": ");
    const isOpen = session.turn === "open" || (session.turn === "unknown" && message.num_turns !== 0);
    const isNextTurns = session.resultsOwed > 0 && session.turnEndBy === "sdk-message";
    const isEarlierTurns = session.isStreamTurnsBehind && session.resultsOwed > 0;
    if (session.resultsOwed > 0) session.resultsOwed--;
    if (isEarlierTurns) return session.record(session.machine.state, `${detail}; ${EARLIER_TURN}`);
    session.promptsAhead = isOpen ? 0 : Math.max(session.promptsAhead, 0);
    if (isOpen || (message.num_turns !== 0 && (session.turnEndBy === null || isNextTurns))) {
      return session.endTurn(to, detail, null);
    }
    session.turn = "closed";
    session.record(session.machine.state, `${detail}; no turn was open`);
  },

  "system/init"(session, message) {
    session.resultsOwed++;
    // A prompt that hooks told has begun the turn, and they may have told its end as well.
    if (session.promptsAhead-- <= 0) session.turnEndBy = null;
    const { state } = session.machine;
    if (session.turn === "unknown" && state === "spawning") session.turn = "closed";
    const sessionId = textOf(message.session_id);
    if (sessionId !== null) session.nameSession(sessionId);
    const version = textOf(message.claude_code_version) ?? textOf(message.version) ?? "version not told";
    const detail = `the agent reported itself: ${textOf(message.model) ?? "model not told"}, ${version}`;
    // A turn begins with it: what the main thread has open is of a turn, or a process, whose end nothing told.
    const left = session.hooksSeen ? [] : session.leftByOtherTurn();
    const reason = "the agent reported itself anew with this entry still open";
    // Where hooks are seen, they tell the directory, and sooner.
    session.record(
      state === "spawning" ? "ready" : state,
      detail,
      left.length === 0 ? undefined : { op: "abandon", entryIds: left, reason },
      session.hooksSeen ? null : textOf(message.cwd),
    );
  },

  "system/status"(session, message) {
    const { status } = message;
    if (status === "requesting") {
      const to = session.opening(null);
      session.open(REQUEST_ENTRY, { kind: "requesting", name: null }, null, to, "a model request is out");
      return;
    }
    const detail = `status ${status === null ? "cleared" : textOf(status) ?? "not told"}`;
    const isOver = session.closeRequest(`the model request is over: ${detail}`, session.ending(null));
    if (status === "compacting") return session.openCompaction(null, "a compaction runs");
    const outcome = textOf(message.compact_result);
    if (outcome !== null && session.isKnown(COMPACTION_ENTRY)) {
      return session.close(COMPACTION_ENTRY, session.afterCompaction(null), `compaction over: ${outcome}`);
    }
    if (!isOver) session.record(session.ending(null), detail);
  },

  "system/session_state_changed"(session, message) {
    const detail = `the agent says it is ${textOf(message.state) ?? "in no state"}`;
    const isOfTurnTold = session.promptsAhead > 0 || session.resultsOwed > 0;
    if (message.state !== "idle" && !(session.isStreamBehind && isOfTurnTold)) {
      return session.record(session.opening(null), detail);
    }
    if (session.turn === "closed") return session.record(session.machine.state, detail);
    if (session.isStreamTurnsBehind) return session.record(session.machine.state, `${detail}; ${EARLIER_TURN}`);
    session.endTurn("idle", detail, null);
  },

  "system/compact_boundary"(session, message) {
    const data = message.compact_metadata as { trigger?: unknown } | undefined;
    const detail = `compaction ended: ${textOf(data?.trigger) ?? "trigger not told"}`;
    if (!session.isKnown(COMPACTION_ENTRY)) return session.record(session.machine.state, detail);
    session.close(COMPACTION_ENTRY, session.afterCompaction(null), detail);
  },

  "system/task_started"(session, message) {
    const taskId = textOf(message.task_id);
    if (taskId === null) return;
    const callId = textOf(message.tool_use_id);
    session.joinTask(taskId, callId ?? `task:${taskId}`);
    if (message.task_type === "local_agent") {
      if (callId !== null) session.joinAgent(callId, taskId);
      if (session.hooksSeen) return;
      const type = textOf(message.subagent_type);
      const lane = message.is_backgrounded === true ? "background" : session.laneForAgent();
      const to = session.opening(taskId);
      const detail = `subagent ${type ?? taskId} started`;
      return session.open(taskId, { kind: "subagent", name: type }, taskId, to, detail, {}, lane);
    }
    if (message.is_backgrounded !== true || callId === null || !session.isLive(callId)) return;
    if (session.machine.entry(callId)?.lane === "background") return;
    session.background(callId, taskId, session.machine.state, `task ${taskId} started in the background`);
  },

  "system/task_updated"(session, message) {
    const taskId = textOf(message.task_id);
    if (taskId === null) return;
    const patch = (message.patch ?? {}) as { status?: unknown; is_backgrounded?: unknown };
    const entryId = session.entryOfTask(taskId);
    if (patch.is_backgrounded === true) session.backgroundAgent(taskId, `subagent ${taskId} went to the background`);
    if (patch.is_backgrounded === true && entryId !== null && session.isLive(entryId)) {
      const { state } = session.machine;
      const to = session.turn === "closed" || session.holdsBesides(entryId) ? state : "idle";
      session.background(entryId, taskId, to, `task ${taskId} went to the background`);
    }
    if (TASK_ENDS.has(patch.status)) session.endTask(taskId, null, `task ${taskId} ${patch.status}`);
  },

  "system/task_notification"(session, message) {
    const taskId = textOf(message.task_id);
    if (taskId === null) return;
    const detail = `task ${taskId} ${textOf(message.status) ?? "ended"}`;
    session.endTask(taskId, textOf(message.tool_use_id), detail);
  },

  "system/worker_shutting_down"(session, message) {
    session.record(
      session.machine.state,
      `the worker is about to stop: ${textOf(message.reason) ?? "no reason given"}`,
    );
  },

  "system/model_refusal_no_fallback"(session, message) {
    const model = textOf(message.original_model) ?? "model not told";
    session.record(session.machine.state, `the model refused and none took over: ${model}`);
  },
};
