// Pure. What each wired hook event does to a session: one handler an event, in one table.
import type { WiredHookEvent } from "./coverage.ts";
import type { BackgroundTask, BatchCall, HookInput } from "./input.ts";
import type { CallSign } from "./pairing.ts";
import { afterText, COMPACTION_ENTRY, type SessionTracker, textOf } from "./tracker.ts";

type Handler = (session: SessionTracker, input: HookInput, agentId: string | null) => void;

/** The MCP server of a call: told by the client, or the middle of `mcp__SERVER__TOOL`. */
export function serverOf(tool: string | null, told: unknown): string | null {
  const name = typeof told === "object" && told !== null ? textOf((told as { name?: unknown }).name) : textOf(told);
  if (name !== null || tool === null || !tool.startsWith("mcp__")) return name;
  const end = tool.indexOf("__", 5);
  return end === -1 ? null : tool.slice(5, end);
}

/** The id under which a call's response says that its work goes on; a to-do list's `taskId` is none. */
export function backgroundTaskOf(tool: string | null, response: unknown): string | null {
  if (typeof response !== "object" || response === null) return null;
  const { backgroundTaskId, taskId } = response as { backgroundTaskId?: unknown; taskId?: unknown };
  return textOf(backgroundTaskId) ?? (tool === "Monitor" ? textOf(taskId) : null);
}

const NONE: readonly unknown[] = [];

/** The tasks that a call's response says are over. */
function endedTasksOf(tool: string | null, input: HookInput): readonly unknown[] {
  if (Array.isArray(input.ended_tasks)) return input.ended_tasks;
  const response = input.tool_response;
  if (tool !== "TaskStop" || typeof response !== "object" || response === null) return NONE;
  return [(response as { task_id?: unknown }).task_id];
}

/** Task id -> type, of a list of what still runs; null where the event has no list. */
function runningTasks(value: unknown): ReadonlyMap<string, unknown> | null {
  if (!Array.isArray(value)) return null;
  const tasks = value.filter((task): task is BackgroundTask => typeof task === "object" && task !== null);
  return new Map(tasks.map((task) => [textOf(task.id) ?? "", task.type]));
}

const signOf = (input: HookInput, agentId: string | null): CallSign => ({
  tool: textOf(input.tool_name),
  callId: textOf(input.tool_use_id),
  agentId,
  input: input.tool_input,
});

/** Ends a call and what waited for it. */
function endCall(session: SessionTracker, input: HookInput, agentId: string | null, detail: string): void {
  const sign = signOf(input, agentId);
  const entryId = session.entryOf(sign);
  session.closePermissionsOf(entryId, sign.tool, agentId, `${sign.tool} was allowed: ${detail}`);
  if (entryId === null) {
    session.counts.unmatched++;
    session.record(session.ending(agentId), `${detail}; no call of it was open`);
    return;
  }
  const taskId = backgroundTaskOf(sign.tool, input.tool_response);
  if (taskId !== null) {
    session.joinTask(taskId, entryId);
    session.background(
      entryId,
      taskId,
      session.ending(agentId),
      `${sign.tool} goes on in the background as task ${taskId}`,
    );
  } else {
    session.endCall(entryId, session.ending(agentId), detail, serverOf(sign.tool, input.mcp_server));
  }
}

const elicitationId = (input: HookInput): string =>
  `elicitation:${textOf(input.elicitation_id) ?? textOf(input.mcp_server_name)}`;

/** Every wired hook event. A missing handler does not compile, nor does one for a declined event. */
export const HOOK_HANDLERS: { readonly [Event in WiredHookEvent]: Handler } = {
  PreToolUse(session, input, agentId) {
    session.callHooksSeen = true;
    const sign = signOf(input, agentId);
    if (agentId === null) session.closeRequest("the model answered with a tool call");
    const to = session.opening(agentId);
    session.closePermissionsOf(
      null,
      sign.tool,
      agentId,
      `an earlier request for ${sign.tool} is settled: its next call starts`,
    );
    session.openCall(sign, serverOf(sign.tool, input.mcp_server), to, `call of ${sign.tool} started`);
  },

  PostToolUse(session, input, agentId) {
    const tool = textOf(input.tool_name);
    endCall(session, input, agentId, `call of ${tool} ended${afterText(input.duration_ms)}`);
    for (const ended of endedTasksOf(tool, input)) {
      const task = textOf(ended);
      if (task !== null) session.endTask(task, null, `task ${task} is over, says ${tool}`);
    }
  },

  PostToolUseFailure(session, input, agentId) {
    const error = textOf(input.error) ?? "no reason given";
    const detail = `call of ${textOf(input.tool_name)} failed${afterText(input.duration_ms)}: ${error}`;
    const interrupts = input.is_interrupt === true && agentId === null && session.turn !== "closed";
    if (!interrupts) return endCall(session, input, agentId, detail);
    const sign = signOf(input, agentId);
    const entryId = session.entryOf(sign);
    session.closePermissionsOf(entryId, sign.tool, agentId, `${sign.tool} was allowed: ${detail}`);
    if (entryId === null) session.counts.unmatched++;
    session.endTurn("interrupted", detail, null, entryId);
  },

  PostToolBatch(session, input, agentId) {
    session.callHooksSeen = true;
    if (!Array.isArray(input.tool_calls)) return;
    for (const call of input.tool_calls as (BatchCall | null)[]) {
      if (typeof call !== "object" || call === null) continue;
      const tool = textOf(call.tool_name);
      const sign = { tool, callId: textOf(call.tool_use_id), agentId, input: call.tool_input };
      const entryId = session.entryOf(sign);
      session.closePermissionsOf(entryId, tool, agentId, `the request for ${tool} is settled: its batch is over`);
      const entry = entryId === null ? undefined : session.machine.entry(entryId);
      if (entryId === null || entry === undefined || session.isBackgroundTask(entry)) continue;
      const detail = `call of ${tool} ended with its batch, without an end of its own`;
      session.endCall(entryId, session.ending(agentId), detail);
    }
  },

  UserPromptSubmit(session, _input, agentId) {
    if (agentId !== null) return session.record(session.opening(agentId), "a subagent was given its prompt");
    session.revive();
    const left = session.leftByOtherPrompt();
    session.turnEndBy = null;
    const reason = "a new turn was submitted with this entry still open";
    const entry = left.length === 0 ? undefined : { op: "abandon", entryIds: left, reason } as const;
    session.record(session.opening(null), "a turn was submitted by a prompt", entry);
  },

  Stop(session, input, agentId) {
    if (agentId !== null) return session.record(session.ending(agentId), "a subagent's own turn ended");
    const running = runningTasks(input.background_tasks);
    const rest = running === null || running.size === 0 ? "" : `; ${running.size} still running in the background`;
    session.endTurn("idle", `clean end of the turn${rest}`, running);
  },

  StopFailure(session, input, agentId) {
    const error = textOf(input.error) ?? "no reason given";
    if (agentId === null) {
      session.endTurn("errored", `abnormal end of the turn: ${error}`, runningTasks(input.background_tasks));
      return;
    }
    endSubagent(session, agentId, `subagent failed: ${error}`);
  },

  SubagentStart(session, input, agentId) {
    if (agentId === null) return session.record(session.machine.state, "a subagent without an id started");
    const type = textOf(input.agent_type);
    const detail = `subagent ${type ?? agentId} started`;
    const to = session.opening(agentId);
    session.open(agentId, { kind: "subagent", name: type }, agentId, to, detail, {}, session.laneForAgent());
  },

  SubagentStop(session, input, agentId) {
    if (agentId === null) session.record(session.machine.state, "a subagent without an id ended");
    else endSubagent(session, agentId, `subagent ${textOf(input.agent_type) ?? agentId} ended`);
    session.closeVanishedTasks(runningTasks(input.background_tasks));
  },

  SessionStart(session, input, agentId) {
    const source = textOf(input.source) ?? "source not told";
    const by = textOf(input.model);
    const detail = `session started: ${source}${by === null ? "" : ` with ${by}`}`;
    const { machine } = session;
    if (agentId !== null) return session.record(session.keeping(agentId), `a subagent's own ${detail}`);
    if (source === "compact" && machine.state !== "ended") {
      if (session.isKnown(COMPACTION_ENTRY)) {
        return session.close(COMPACTION_ENTRY, session.afterCompaction(null), detail);
      }
      return session.record(session.ending(null), detail);
    }
    const takesOver = source === "resume" || source === "fork" || source === "clear";
    if (!takesOver && machine.state !== "ended") {
      if (machine.transitionCount === 0) session.startOver();
      return session.record(machine.state, detail);
    }
    session.revive();
    session.processOver();
    session.startOver();
    const reason = "a new process took the session over";
    session.record("spawning", detail, { op: "abandon-open", reason });
  },

  SessionEnd(session, input, agentId) {
    const why = textOf(input.reason) ?? "no reason given";
    if (agentId !== null) return session.record(session.keeping(agentId), `a subagent's own session over: ${why}`);
    session.processOver();
    const reason = `SessionEnd (${why}) came with this entry still open`;
    session.record("ended", `session over: ${why}`, { op: "abandon-open", reason });
  },

  PreCompact(session, input, agentId) {
    session.openCompaction(agentId, `compaction started: ${textOf(input.trigger) ?? "trigger not told"}`);
  },

  PostCompact(session, input, agentId) {
    const detail = `compaction ended: ${textOf(input.trigger) ?? "trigger not told"}`;
    const to = session.afterCompaction(agentId);
    if (session.isKnown(COMPACTION_ENTRY)) return session.close(COMPACTION_ENTRY, to, detail);
    // SessionStart comes first and has closed it: the usual order, and nothing to count.
    session.record(to, detail, { op: "close", entryId: COMPACTION_ENTRY });
  },

  PostModelSwitch(session, input, agentId) {
    const from = textOf(input.from_model) ?? "unknown";
    const to = textOf(input.to_model) ?? "unknown";
    session.record(session.keeping(agentId), `model switched from ${from} to ${to}`);
  },

  PermissionRequest(session, input, agentId) {
    const sign = { ...signOf(input, agentId), subject: textOf(input.asks_for) };
    session.openPermission(sign, session.opening(agentId));
  },

  PermissionDenied(session, input, agentId) {
    const sign = signOf(input, agentId);
    const entryId = session.deniedPermission(sign);
    const detail = `${sign.tool} was denied: ${textOf(input.reason) ?? "no reason given"}`;
    if (entryId !== null) return session.close(entryId, session.ending(agentId), detail);
    session.counts.unmatched++;
    session.record(session.ending(agentId), detail);
  },

  Elicitation(session, input, agentId) {
    const server = textOf(input.mcp_server_name);
    const to = session.opening(agentId);
    session.open(elicitationId(input), { kind: "elicitation", name: server }, agentId, to, `${server} asks the user`, {
      server,
    });
  },

  ElicitationResult(session, input, agentId) {
    const detail = `the question of ${textOf(input.mcp_server_name)} was answered: ${
      textOf(input.action) ?? "action not told"
    }`;
    session.close(elicitationId(input), session.ending(agentId), detail);
  },

  CwdChanged(session, input, agentId) {
    const detail = `working directory changed, before: ${textOf(input.old_cwd) ?? "unknown"}`;
    if (agentId !== null) return session.record(session.keeping(agentId), `a subagent's own ${detail}`);
    session.record(session.machine.state, detail, undefined, textOf(input.new_cwd));
  },

  Interrupt(session, _input, agentId) {
    if (agentId !== null) return session.record(session.keeping(agentId), "a subagent was interrupted");
    session.endTurn("interrupted", "the turn was interrupted", null);
  },
};

/** Closes a subagent's entry and abandons the calls it left open; one that never started moves nothing. */
function endSubagent(session: SessionTracker, agentId: string, detail: string): void {
  if (session.isKnown(agentId)) {
    session.close(agentId, session.ending(agentId), detail);
  } else {
    session.counts.unmatched++;
    session.record(session.machine.state, `${detail}; it was not open`);
  }
  session.abandonCallsOf(agentId, `${session.event} ended its subagent with this entry still open`);
}
