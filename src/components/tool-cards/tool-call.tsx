"use client";
import { createElement } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { type BuiltinToolName, isBuiltinToolName } from "@/contract/tool-outputs";
import { CARD } from "./card-registry";
import { GenericCard } from "./generic-card";
import { RawCard } from "./raw-card";
import type { ToolCardProps } from "./tool-card";
import { typedOutput } from "./typed-output";

/** The card of a tool call: its tool's own, else the generic one; data that breaks it is shown raw. */
export const ToolCall = (props: ToolCardProps) => {
  const { kind, tool_name: name } = props.part;
  return (
    <ErrorBoundary resetKeys={[props.part]} fallbackRender={() => <RawCard part={props.part} />}>
      {kind === "builtin" && isBuiltinToolName(name) ? (
        <BuiltinCard name={name} {...props} />
      ) : (
        <GenericCard {...props} />
      )}
    </ErrorBoundary>
  );
};

const BuiltinCard = <Name extends BuiltinToolName>({
  name,
  ...props
}: ToolCardProps & { name: Name }) =>
  createElement(CARD[name], { ...props, output: typedOutput(name, props.part) });
