import { useState } from "react";
import { BreakableText } from "@/components/ui/breakable-text";
import { humanize } from "@/lib/humanize";

/** Longest description shown without "Show all", in code points. */
const MAX_COLLAPSED_LENGTH = 240;

type ToolCallHeadingProps = {
  id: string;
  toolName: string;
  description?: string | undefined;
};

/** The readable name of the tool, its technical name, and its description. */
export const ToolCallHeading = ({ id, toolName, description = "" }: ToolCallHeadingProps) => {
  const [isExpanded, setWhole] = useState(false);
  const codePoints = [...description];
  const isLong = codePoints.length > MAX_COLLAPSED_LENGTH;
  const visibleText =
    isLong && !isExpanded
      ? `${codePoints.slice(0, MAX_COLLAPSED_LENGTH).join("").trimEnd()}…`
      : description;
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <h3 id={id} className="min-w-0 text-sm font-semibold wrap-anywhere">
          {humanize(toolName)}
        </h3>
        <code translate="no" className="min-w-0 font-mono text-xs wrap-anywhere text-muted">
          {toolName}
        </code>
      </div>
      {visibleText.trim() !== "" && (
        <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line text-muted">
          <BreakableText text={visibleText} />{" "}
          {isLong && (
            <button
              type="button"
              aria-expanded={isExpanded}
              onClick={() => setWhole(!isExpanded)}
              className="rounded-sm font-medium text-accent underline-offset-2 hover:underline"
            >
              {isExpanded ? "Show less" : "Show all"}
            </button>
          )}
        </p>
      )}
    </div>
  );
};
