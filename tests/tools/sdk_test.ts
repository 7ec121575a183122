// Reading the SDK's declarations.
import { assertEquals, assertThrows } from "@std/assert";
import { eventsOf } from "../../tools/sdk.ts";

const DECLARATIONS = `/** Events. */
export declare const HOOK_EVENTS: readonly ['Stop', 'SessionEnd'];

export declare type SDKMessage = SDKResultMessage | SDKStatusMessage;

/** One; or several. */
export declare type SDKResultMessage = SDKResultSuccess | SDKResultError;

export declare type SDKResultError = {
    type: 'result';
    subtype: 'error';

    inner: {
        type: 'other';
    };
};

export declare type SDKResultSuccess = {
    type: 'result';
    subtype: 'success';
};

export declare type SDKStatusMessage = {
    /** Kind. */
    type: 'system';
    subtype: 'status';
};

declare type SDKKeepAliveMessage = {
    type: 'keep_alive';
};

declare type StdoutMessage = coreTypes.SDKMessage | SDKKeepAliveMessage;
`;

Deno.test("the events of a union are those of its members, however deep", () => {
  assertEquals(eventsOf(DECLARATIONS), {
    hookEvents: ["Stop", "SessionEnd"],
    messages: ["result", "system/status"],
    controlLines: ["keep_alive"],
  });
});

Deno.test("declarations that have changed their form are an error, not an empty list", () => {
  assertThrows(() => eventsOf(""), Error, "no HOOK_EVENTS");
  assertThrows(() => eventsOf(DECLARATIONS.replace("StdoutMessage", "Renamed")), Error, "no type StdoutMessage");
  const keyless = DECLARATIONS.replace("type: 'keep_alive'", "kind: 'keep_alive'");
  assertThrows(() => eventsOf(keyless), Error, 'SDKKeepAliveMessage has no literal "type"');
  const flat = DECLARATIONS.replace("subtype: 'status'", "status: string");
  assertThrows(() => eventsOf(flat), Error, 'SDKStatusMessage has no literal "subtype"');
});
