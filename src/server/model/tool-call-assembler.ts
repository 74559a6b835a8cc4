import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
} from "@ai-sdk/provider";
import type { StepPart, StepSink } from "./model-step";
import { mergeMetadata, type OpenPart, type PartList } from "./part-list";

type CallPart = Extract<StepPart, { type: "tool_call" }>;
type OpenCall = OpenPart<CallPart> & { isComplete: boolean };
type InputEvent = Extract<
  LanguageModelV4StreamPart,
  { type: "tool-input-start" | "tool-input-delta" | "tool-input-end" }
>;

/** Assembles tool calls, which providers send as input deltas, as a whole, or both. */
export const createToolCallAssembler = (list: PartList, sink: StepSink, now: () => Date) => {
  const byId = new Map<string, OpenCall>();

  const start = (id: string, toolName: string, providerExecuted = false): OpenCall => {
    // Ids are unique within a message, so a call with a missing or repeated id gets a new one.
    const toolCallId = id === "" || byId.has(id) ? `call_${randomUUID()}` : id;
    const startedAt = now();
    const part: CallPart = {
      type: "tool_call",
      toolCallId,
      toolName,
      input: "",
      providerExecuted,
      startedAt,
    };
    const open = Object.assign(list.start(part), { isComplete: false });
    byId.set(id, open);
    return open;
  };

  const append = (open: OpenCall, delta: string): void => {
    if (delta === "") return;
    open.part.input += delta;
    sink.append(open.index, delta);
  };

  return {
    handleInput: (event: InputEvent): void => {
      const open =
        event.type === "tool-input-start"
          ? start(event.id, event.toolName, event.providerExecuted)
          : byId.get(event.id);
      if (open === undefined) return;
      if (event.type === "tool-input-delta") append(open, event.delta);
      mergeMetadata(open.part, event.providerMetadata);
      if (event.type === "tool-input-end") list.end(open);
    },
    handleCall: (call: LanguageModelV4ToolCall): void => {
      const existing = byId.get(call.toolCallId);
      const open =
        existing === undefined || existing.isComplete
          ? start(call.toolCallId, call.toolName, call.providerExecuted)
          : existing;
      open.isComplete = true;
      if (open.part.input === "") append(open, call.input);
      open.part.input = call.input;
      open.part.toolName = call.toolName;
      open.part.providerExecuted ||= call.providerExecuted === true;
      mergeMetadata(open.part, call.providerMetadata);
      list.end(open);
    },
    /** Stores the result of a provider-executed tool; ignores results of another step's calls. */
    handleResult: ({ toolCallId, result, isError }: LanguageModelV4ToolResult): void => {
      const call = byId.get(toolCallId)?.part;
      if (call === undefined) return;
      call.output = result;
      call.isError = isError === true;
    },
  };
};
