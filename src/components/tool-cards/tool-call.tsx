"use client";
import { ErrorBoundary } from "react-error-boundary";
import { CARD, isBuiltinToolName } from "./card-registry";
import { GenericCard } from "./generic-card";
import { RawCard } from "./raw-card";
import type { ToolCardProps } from "./tool-card";

/** The card of a tool call: its tool's own, else the generic one; data that breaks it is shown raw. */
export const ToolCall = (props: ToolCardProps) => {
  const { kind, tool_name: name } = props.part;
  const Card = kind === "builtin" && isBuiltinToolName(name) ? CARD[name] : GenericCard;
  return (
    <ErrorBoundary resetKeys={[props.part]} fallbackRender={() => <RawCard part={props.part} />}>
      <Card {...props} />
    </ErrorBoundary>
  );
};
