import { Wrench } from "lucide-react";
import { formatJson } from "./format-json";
import { TextBlock } from "./text-block";
import type { ToolCardProps } from "./tool-card";

/** Shows a call's data when its card cannot render it. */
export const RawCard = ({ part }: Pick<ToolCardProps, "part">) => (
  <div className="flex min-w-0 flex-col gap-3 rounded-lg border bg-raised px-3 py-3">
    <p className="flex items-center gap-2">
      <Wrench aria-hidden size={16} className="shrink-0 text-muted" />
      This tool call could not be shown; this is what it holds.
    </p>
    <TextBlock label="Tool call" text={formatJson(part)} fileName="tool-call.json" />
  </div>
);
