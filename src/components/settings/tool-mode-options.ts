import type { SegmentOption } from "@/components/ui/segmented-control";
import type { ToolMode } from "@/contract/tool";

/** How a tool can be offered. */
export const TOOL_MODES: readonly SegmentOption<ToolMode>[] = [
  { value: "on", label: "On" },
  { value: "ask", label: "Ask first" },
  { value: "off", label: "Off" },
];
