import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
} from "@ai-sdk/provider";
import type { StepPart, StepSink } from "./model-step";
import { addMetadata, type OpenPart, type PartList } from "./part-list";

type CallPart = Extract<StepPart, { type: "tool_call" }>;
type OpenCall = OpenPart<CallPart> & { called: boolean };
type InputEvent = Extract<
  LanguageModelV4StreamPart,
  { type: "tool-input-start" | "tool-input-delta" | "tool-input-end" }
>;

/** A model's tool calls. Providers announce them piece by piece, whole, or both. */
export const createStepCalls = (list: PartList, sink: StepSink, now: () => Date) => {
  const byId = new Map<string, OpenCall>();

  const start = (id: string, toolName: string, providerExecuted = false): OpenCall => {
    // A message holds each id once, so a call without an id of its own gets one.
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
    const open = Object.assign(list.start(part), { called: false });
    byId.set(id, open);
    return open;
  };

  const append = (open: OpenCall, delta: string): void => {
    if (delta === "") return;
    open.part.input += delta;
    sink.append(open.index, delta);
  };

  return {
    input: (event: InputEvent): void => {
      const open =
        event.type === "tool-input-start"
          ? start(event.id, event.toolName, event.providerExecuted)
          : byId.get(event.id);
      if (open === undefined) return;
      if (event.type === "tool-input-delta") append(open, event.delta);
      addMetadata(open.part, event.providerMetadata);
      if (event.type === "tool-input-end") list.end(open);
    },
    call: (call: LanguageModelV4ToolCall): void => {
      const announced = byId.get(call.toolCallId);
      const open =
        announced === undefined || announced.called
          ? start(call.toolCallId, call.toolName, call.providerExecuted)
          : announced;
      open.called = true;
      if (open.part.input === "") append(open, call.input);
      open.part.input = call.input;
      open.part.toolName = call.toolName;
      open.part.providerExecuted ||= call.providerExecuted === true;
      addMetadata(open.part, call.providerMetadata);
      list.end(open);
    },
    /** What the provider's own tool gave; a result of some other step's call is not ours. */
    result: ({ toolCallId, result, isError }: LanguageModelV4ToolResult): void => {
      const call = byId.get(toolCallId)?.part;
      if (call === undefined) return;
      call.output = result;
      call.isError = isError === true;
    },
  };
};
