import { useState } from "react";
import { CallAnswer } from "@/components/answers/call-answer";
import type { Draft } from "@/components/answers/draft";
import type { DynamicTool } from "@/contract/dynamic-tool";
import { toSampleCall } from "./sample-call";

type ToolPreviewProps = {
  /** Undefined while a field is at fault. */
  tool: DynamicTool | undefined;
  answer: Draft | null;
  onAnswer: (answer: Draft) => void;
};

/** The form that a chat shows for a call of the tool; that of the last correct one while a field is at fault. */
export const ToolPreview = ({ tool, answer, onAnswer }: ToolPreviewProps) => {
  const [lastTool, setLastTool] = useState(tool);
  const shown = tool ?? lastTool;
  if (tool && JSON.stringify(tool) !== JSON.stringify(lastTool)) setLastTool(tool);
  return (
    <section aria-label="Form" className="grid min-w-0 gap-3">
      <p className="text-muted">
        {tool || !shown
          ? "A chat shows this when the model calls the tool, here with made-up arguments. What you enter is what the code answers."
          : "This is the form of before: a field of the tool has a mistake."}
      </p>
      {shown && (
        <div className="min-w-0 rounded-xl border border-border-strong bg-raised">
          <CallAnswer
            call={toSampleCall(shown)}
            draft={answer ?? undefined}
            onChange={onAnswer}
            errors={[]}
            disabled={false}
          />
        </div>
      )}
    </section>
  );
};
