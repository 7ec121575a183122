// A model API on the loopback that any of the clients can talk to: it asks for one shell command, then says it is done.

/** How a client's shell tool is called in its requests, and what it is given. */
const SHELL_TOOLS: Readonly<Record<string, object>> = {
  Bash: { command: "echo hi", description: "say hi" },
  exec_command: { cmd: "echo hi" },
  run_shell_command: { command: "echo hi", description: "say hi", is_background: false },
  bash: { command: "echo hi", description: "say hi" },
};

interface Answer {
  readonly tool: string;
  readonly input: object;
}

/** What a request gets: a call of the shell tool it offers, once, and words from then on. */
function answerTo(request: string, tools: readonly string[]): Answer | null {
  // The client sends the whole conversation, so it is all there is to remember.
  const wasCalled = /"(?:tool_result|function_call_output|functionResponse)"|"role":\s*"tool"/.test(request);
  const tool = wasCalled ? undefined : tools.find((name) => name in SHELL_TOOLS);
  return tool === undefined ? null : { tool, input: SHELL_TOOLS[tool] };
}

const eventStream = (events: readonly object[], end = ""): Response =>
  new Response(
    events.map((event) => {
      const { type } = event as { type?: unknown };
      return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
    }).join("") + end,
    { headers: { "content-type": "text/event-stream" } },
  );

/** Anthropic's Messages. */
function messages(answer: Answer | null): Response {
  const usage = { input_tokens: 10, output_tokens: 10 };
  const block = answer === null
    ? { type: "text", text: "" }
    : { type: "tool_use", id: "toolu_1", name: answer.tool, input: {} };
  const delta = answer === null
    ? { type: "text_delta", text: "done" }
    : { type: "input_json_delta", partial_json: JSON.stringify(answer.input) };
  const stop = { stop_reason: answer === null ? "end_turn" : "tool_use", stop_sequence: null };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "fake",
    content: [],
    usage,
    stop_reason: null,
  };
  return eventStream([
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: stop, usage },
    { type: "message_stop" },
  ]);
}

/** OpenAI's Responses. */
function responses(answer: Answer | null): Response {
  const item = answer === null
    ? { type: "message", role: "assistant", id: "m1", content: [{ type: "output_text", text: "done" }] }
    : {
      type: "function_call",
      id: "f1",
      call_id: "call_1",
      name: answer.tool,
      arguments: JSON.stringify(answer.input),
    };
  const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
  return eventStream([
    { type: "response.created", response: { id: "r1" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "r1", usage } },
  ]);
}

/** OpenAI's chat completions. */
function completions(answer: Answer | null): Response {
  const call = answer && { name: answer.tool, arguments: JSON.stringify(answer.input) };
  const delta = call === null
    ? { role: "assistant", content: "done" }
    : { role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] };
  const chunk = (choice: object) => ({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "fake-model",
    choices: [{ index: 0, ...choice }],
  });
  return eventStream([
    chunk({ delta, finish_reason: null }),
    { ...chunk({ delta: {}, finish_reason: call === null ? "stop" : "tool_calls" }), usage: { total_tokens: 20 } },
  ], "data: [DONE]\n\n");
}

/** Gemini's generateContent. */
function content(answer: Answer | null): Response {
  const part = answer === null ? { text: "done" } : { functionCall: { name: answer.tool, args: answer.input } };
  return eventStream([{
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
  }]);
}

/** The names of the tools that a request offers, in any of the four APIs. */
function toolsOf(request: { readonly tools?: unknown }): string[] {
  const tools = Array.isArray(request.tools) ? request.tools : [];
  return tools.flatMap((tool) =>
    Array.isArray(tool.functionDeclarations)
      ? tool.functionDeclarations.map(({ name }: { name: string }) => name)
      : [tool.name ?? tool.function?.name]
  );
}

const APIS: readonly (readonly [path: RegExp, api: (answer: Answer | null) => Response])[] = [
  [/\/messages$/, messages],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, completions],
  [/:streamGenerateContent$/, content],
];

/** A running model API, or one that refuses every request; `await using` stops it. */
export function startModelApi(
  mode: "answers" | "refuses" = "answers",
): { readonly url: string; [Symbol.asyncDispose](): Promise<void> } {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const api = APIS.find(([path]) => path.test(pathname))?.[1];
    const text = await request.text();
    if (mode === "refuses") {
      return Response.json({ type: "error", error: { type: "invalid_request_error", message: "no" } }, { status: 400 });
    }
    if (api === undefined) return Response.json({}, { status: 404 });
    return api(answerTo(text, toolsOf(JSON.parse(text))));
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}
