// Pure. Which call an event means, and which permission belongs to which call.
import { fingerprint } from "./fingerprint.ts";

/** What is remembered of an open entry, for pairing. */
export interface Note {
  readonly tool: string | null;
  readonly server: string | null;
  readonly agentId: string | null;
  readonly inputPrint: number | null;
  readonly promptId: string | null;
  /** The client gave the call no id. */
  readonly nameless: boolean;
  /** The fingerprint of the command or path of a call without an id. */
  readonly subjectPrint?: number | null;
  taskId: string | null;
  /** The stream said that the user refused the call, which ends with the next answer. */
  refused: boolean;
}

/** What is remembered of an open permission. */
export interface Permission {
  readonly tool: string;
  readonly agentId: string | null;
  readonly promptId: string | null;
  /** The call that asked; null when none could be found. */
  readonly callId: string | null;
}

/** A call as an event tells it. */
export interface CallSign {
  readonly tool: string | null;
  readonly callId: string | null;
  readonly agentId: string | null;
  readonly input: unknown;
  /** The command or path, of a request that tells no input. */
  readonly subject?: string | null;
}

/** What a call is about, as a request for it may name it. */
export function subjectOf(input: unknown): string | null {
  if (typeof input !== "object" || input === null) return null;
  const { command, path, file_path } = input as { command?: unknown; path?: unknown; file_path?: unknown };
  const subject = command ?? path ?? file_path;
  return typeof subject === "string" ? subject : null;
}

/** What is known of the session's entries. */
interface Entries {
  /** Open and not abandoned. */
  isLive(entryId: string): boolean;
  /** Open, abandoned or not. */
  isKnown(entryId: string): boolean;
}

type Notes = ReadonlyMap<string, Note> | null;
type Permissions = ReadonlyMap<string, Permission> | null;
/** id of a call -> the permission it asked for last */
type PermissionOfCall = ReadonlyMap<string, string> | null;

/** A call that was found, and whether another could be meant as well. */
interface Found {
  readonly entryId: string | null;
  readonly isDoubtful: boolean;
}

/**
 * The entry of a call that has no id: the oldest open one of that agent, tool and input; else one of them that was
 * abandoned; else the oldest open one of that agent and tool, whose input a hook may have changed.
 */
export function namelessCall(entries: Entries, notes: Notes, sign: CallSign): Found {
  const inputPrint = fingerprint(sign.input);
  let sameTool: string | null = null;
  let sameToolCount = 0;
  let abandoned: string | null = null;
  for (const [entryId, note] of notes ?? []) {
    if (!note.nameless || note.tool !== sign.tool || note.agentId !== sign.agentId) continue;
    const sameInput = inputPrint === null || note.inputPrint === inputPrint;
    if (!entries.isLive(entryId)) {
      if (sameInput && entries.isKnown(entryId)) abandoned ??= entryId;
      continue;
    }
    if (sameInput) return { entryId, isDoubtful: false };
    sameTool ??= entryId;
    sameToolCount++;
  }
  if (abandoned !== null) return { entryId: abandoned, isDoubtful: false };
  return { entryId: sameTool, isDoubtful: sameToolCount > 1 };
}

/**
 * The call that asks: the newest open one without a permission and with the same input, else one with a permission
 * and the same input (the request was sent twice), else the newest without a permission. Where the request tells no
 * input, the command or path that it names stands for it.
 */
export function askingCall(
  entries: Entries,
  notes: Notes,
  permissionOfCall: PermissionOfCall,
  { tool, agentId, input, subject }: CallSign,
): Found {
  const inputPrint = fingerprint(input);
  const subjectPrint = fingerprint(subject ?? undefined);
  const hasAsked = (callId: string) => {
    const permission = permissionOfCall?.get(callId);
    return permission !== undefined && entries.isLive(permission);
  };
  let same: string | null = null;
  let sameCount = 0;
  let sameAsked: string | null = null;
  let unasked: string | null = null;
  let unaskedCount = 0;
  let asked: string | null = null;
  for (const [entryId, note] of notes ?? []) {
    if (note.tool === null || (tool !== null && note.tool !== tool)) continue;
    if (note.agentId !== agentId || note.taskId !== null || !entries.isLive(entryId)) continue;
    const isSame = inputPrint !== null
      ? note.inputPrint === inputPrint
      : subjectPrint !== null && note.subjectPrint === subjectPrint;
    if (hasAsked(entryId)) {
      asked = entryId;
      if (isSame) sameAsked = entryId;
      continue;
    }
    unasked = entryId;
    unaskedCount++;
    if (isSame) {
      same = entryId;
      sameCount++;
    }
  }
  const match = same ?? sameAsked;
  if (match !== null) return { entryId: match, isDoubtful: sameCount > 1 };
  if (inputPrint !== null) return { entryId: unasked, isDoubtful: false };
  return { entryId: unasked ?? asked, isDoubtful: unaskedCount > 1 };
}

/** The id of a tool's permission, where no other call holds it. */
export const permissionId = (tool: string | null): string => `permission:${tool}`;

/** The id of the permission that a call asks for. */
export function permissionIdFor(
  entries: Entries,
  permissionOfCall: PermissionOfCall,
  tool: string,
  callId: string | null,
): string {
  const plain = permissionId(tool);
  if (callId === null) return plain;
  return permissionOfCall?.get(callId) ?? (entries.isLive(plain) ? `${plain}:${callId}` : plain);
}

/** Whether this is an open permission of the agent that no call is known for. */
export function isUnpaired(
  entries: Entries,
  permissions: Permissions,
  entryId: string,
  agentId: string | null,
): boolean {
  const permission = permissions?.get(entryId);
  return permission !== undefined && permission.callId === null && permission.agentId === agentId &&
    entries.isLive(entryId);
}

/**
 * The permission that a denial ends: the call's own, else the one of that tool that no call is known for, else the
 * tool's, which is not open; null where another call holds that.
 */
export function deniedPermission(
  entries: Entries,
  permissions: Permissions,
  permissionOfCall: PermissionOfCall,
  sign: CallSign,
): string | null {
  const plain = permissionId(sign.tool);
  if (sign.callId !== null) {
    const own = permissionOfCall?.get(sign.callId);
    if (own !== undefined) return own;
    return isUnpaired(entries, permissions, plain, sign.agentId) || !entries.isKnown(plain) ? plain : null;
  }
  for (const [entryId, { tool, agentId }] of permissions ?? []) {
    if (tool === sign.tool && agentId === sign.agentId && entries.isLive(entryId)) return entryId;
  }
  return entries.isKnown(plain) ? null : plain;
}
