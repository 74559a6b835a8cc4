import type { StepPart, StepSink } from "@/server/model/model-step";
import type { PreviewWriter } from "@/server/stream/preview-relay";
import type { Toolbox } from "@/server/tools/toolbox";

type SinkOptions = {
  toolbox: Toolbox;
  /** Called for the first part, before `onActivity`. */
  onFirstPart: () => void;
  /** Called for all that arrives. */
  onActivity: () => void;
};

/** Creates a sink that writes an answer to its preview while it streams. */
export const createPreviewSink = (
  { preview, now }: { preview: PreviewWriter; now: () => Date },
  { toolbox, onFirstPart, onActivity }: SinkOptions,
): StepSink => {
  const types: StepPart["type"][] = [];
  return {
    start: (index, part) => {
      if (types.length === 0) onFirstPart();
      onActivity();
      types[index] = part.type;
      if (part.type === "text") {
        preview.write({ op: "text-start", index });
      } else if (part.type === "reasoning") {
        preview.write({
          op: "reasoning-start",
          index,
          started_at: part.startedAt.toISOString(),
        });
      } else if (part.type === "tool_call") {
        preview.write({
          op: "tool-call-start",
          index,
          tool_call_id: part.toolCallId,
          tool_name: part.toolName,
          kind: part.providerExecuted
            ? "provider"
            : (toolbox.offered.get(part.toolName)?.kind ?? "builtin"),
          started_at: part.startedAt.toISOString(),
        });
      }
    },
    append: (index, text) => {
      onActivity();
      switch (types[index]) {
        case "text":
          preview.write({ op: "text-append", index, text });
          break;
        case "reasoning":
          preview.write({ op: "reasoning-append", index, text });
          break;
        case "tool_call":
          preview.write({ op: "args-append", index, text });
          break;
        case "source":
        case undefined:
      }
    },
    end: (index) => {
      onActivity();
      if (types[index] === "reasoning") {
        preview.write({ op: "reasoning-end", index, completed_at: now().toISOString() });
      }
    },
  };
};
