import { useState } from "react";
import { humanize } from "@/lib/humanize";

/** Code points; longer descriptions are shortened until somebody wants them whole. */
const SHORT_LENGTH = 240;

type ToolCallHeadingProps = {
  id: string;
  toolName: string;
  description?: string | undefined;
};

/** Which tool is called, in words and by its own name, and what it does. */
export const ToolCallHeading = ({ id, toolName, description = "" }: ToolCallHeadingProps) => {
  const [whole, setWhole] = useState(false);
  const points = [...description];
  const isLong = points.length > SHORT_LENGTH;
  const shown =
    isLong && !whole ? `${points.slice(0, SHORT_LENGTH).join("").trimEnd()}…` : description;
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <h3 id={id} className="min-w-0 text-sm font-semibold wrap-anywhere">
          {humanize(toolName)}
        </h3>
        <code className="min-w-0 font-mono text-xs wrap-anywhere text-muted">{toolName}</code>
      </div>
      {shown.trim() !== "" && (
        <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line text-muted">
          {shown}{" "}
          {isLong && (
            <button
              type="button"
              aria-expanded={whole}
              onClick={() => setWhole(!whole)}
              className="rounded-sm font-medium text-accent underline-offset-2 hover:underline"
            >
              {whole ? "Show less" : "Show all"}
            </button>
          )}
        </p>
      )}
    </div>
  );
};
