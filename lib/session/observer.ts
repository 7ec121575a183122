// Pure. The one place where an agent's events become a session's records.
import { discriminatorOf } from "./coverage.ts";
import { HOOK_HANDLERS } from "./hook_lane.ts";
import type { HookInput, SdkMessage } from "./input.ts";
import type { Result, SessionStateMachine } from "./machine.ts";
import { MESSAGE_HANDLERS } from "./message_lane.ts";
import type { SessionTransition, TransitionCause, TransitionWhere } from "./model.ts";
import { type PairingCounts, SessionTracker, textOf } from "./tracker.ts";

/** Handlers by event, each with its name: of the many copies of a name that an input holds, records keep this one. */
const rowsOf = <Handler>(handlers: Readonly<Record<string, Handler>>) =>
  new Map(Object.entries(handlers).map(([event, handle]) => [event, { event, handle }]));
const HOOKS = rowsOf(HOOK_HANDLERS);
const MESSAGES = rowsOf(MESSAGE_HANDLERS);

/** How to build an observer. */
export interface ObserverOptions {
  /** The dialect numbers neither prompts nor turns: each prompt counts as a new one. */
  readonly countsTurns?: boolean;
  /** Where to count evidence that did not pair cleanly; may be shared by many observers. */
  readonly counts?: PairingCounts;
}

/**
 * Translates one session's events into records on its machine. Never throws, never decides a permission.
 *
 * Which events it translates is the coverage table's word; the others record nothing.
 *
 * @example
 * ```ts
 * import { SessionStateMachine } from "./machine.ts";
 * import { SessionObserver } from "./observer.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const observer = new SessionObserver(new SessionStateMachine({ clock: () => 0 }));
 * observer.observeHook({ hook_event_name: "UserPromptSubmit", session_id: "s1" });
 * observer.observeHook({ hook_event_name: "PreToolUse", session_id: "s1", tool_name: "Bash", tool_use_id: "t1" });
 * assertEquals(observer.machine.activity, { kind: "tool", name: "Bash" });
 * ```
 */
export class SessionObserver {
  readonly #tracker: SessionTracker;
  readonly #countsTurns: boolean;
  #promptCount = 0;

  /** An observer that records on `machine`. */
  constructor(machine: SessionStateMachine, options: ObserverOptions = {}) {
    this.#tracker = new SessionTracker(machine, options.counts ?? { unmatched: 0, duplicate: 0, ambiguous: 0 });
    this.#countsTurns = options.countsTurns ?? false;
  }

  /** The machine it records on. */
  get machine(): SessionStateMachine {
    return this.#tracker.machine;
  }

  /** What did not pair cleanly so far. */
  get counts(): Readonly<PairingCounts> {
    return this.#tracker.counts;
  }

  /** A process was asked for: the first record of a session that is started from here. */
  created(detail: string): Result<SessionTransition> {
    return this.#control("create_requested", () => {
      this.#tracker.startOver();
      this.#tracker.record("spawning", detail);
    });
  }

  /** A prompt was handed over; the agent confirms it later by an event of its own. */
  promptSubmitted(detail: string): Result<SessionTransition> {
    return this.#control("prompt_submitted", () => {
      const { machine } = this.#tracker;
      this.#tracker.turnEndBy = null;
      const to = this.#tracker.opening(null);
      this.#tracker.record(machine.state === "spawning" ? "spawning" : to, detail);
    });
  }

  /** The embedding program interrupted the turn. */
  interrupted(detail: string): Result<SessionTransition> {
    return this.#control("interrupt_requested", () => this.#tracker.endTurn("interrupted", detail, null));
  }

  /** The process is over. Whatever is open is marked abandoned, never erased. */
  ended(cause: TransitionCause): Result<SessionTransition> {
    const reason = `${cause?.event} ended the session with this entry still open`;
    const result = this.machine.record({ to: "ended", cause, entry: { op: "abandon-open", reason } });
    if (result.ok) this.#tracker.processOver();
    return result;
  }

  /** Something was refused for a named reason that is not a denial. */
  refused(cause: TransitionCause): Result<SessionTransition> {
    return this.machine.record({ to: this.machine.state, cause });
  }

  /** The session works somewhere else from now on. */
  relocated(where: TransitionWhere, cause: TransitionCause): Result<SessionTransition> {
    return this.machine.record({ to: this.machine.state, cause, where });
  }

  /** Translates one hook payload; returns what it recorded, nothing for a declined event. */
  observeHook(input: HookInput): Result<SessionTransition>[] {
    const event = input?.hook_event_name;
    if (typeof event !== "string") return [];
    const tracker = this.#tracker;
    tracker.hooksSeen = true;
    const row = HOOKS.get(event);
    if (row === undefined) return [];
    const agentId = textOf(input.agent_id);
    const cwd = agentId === null ? textOf(input.cwd) : null;
    tracker.begin("hook", row.event, textOf(input.nativeEvent), cwd, input.session_id);
    if (agentId === null) this.#followPrompt(input);
    row.handle(tracker, input, agentId);
    return tracker.takeRecords();
  }

  /** Translates one message of the output stream; returns what it recorded, nothing for a declined message. */
  observeMessage(message: SdkMessage): Result<SessionTransition>[] {
    if (typeof message?.type !== "string") return [];
    const event = discriminatorOf(message);
    const row = MESSAGES.get(event);
    if (row === undefined) return [];
    this.#tracker.begin("sdk-message", row.event, textOf(message.nativeEvent), null, message.session_id);
    row.handle(this.#tracker, message);
    return this.#tracker.takeRecords();
  }

  /** Main-thread entries are remembered under the prompt they were opened for. */
  #followPrompt(input: HookInput): void {
    const tracker = this.#tracker;
    const isPrompt = input.hook_event_name === "UserPromptSubmit";
    if (this.#countsTurns) {
      if (isPrompt) tracker.promptId = `prompt ${++this.#promptCount}`;
      return;
    }
    const promptId = textOf(input.prompt_id);
    // A prompt that was queued has the id of the turn that runs, and no init of its own.
    if (isPrompt && promptId !== null && promptId !== tracker.promptId) tracker.promptsAhead++;
    tracker.promptId = promptId;
  }

  #control(event: "create_requested" | "prompt_submitted" | "interrupt_requested", move: () => void) {
    this.#tracker.begin("control", event, null, null, null);
    move();
    const records = this.#tracker.takeRecords();
    return records[records.length - 1];
  }
}
