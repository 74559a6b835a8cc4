"use client";
import { createElement } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { type BuiltinToolName, isBuiltinToolName } from "@/contract/tool-outputs";
import { CARD } from "./card-registry";
import { GenericCard } from "./generic-card";
import { RawCard } from "./raw-card";
import type { ToolCardProps } from "./tool-card";
import { parseOutput } from "./parse-output";

/** Shows a call with its tool's card or the generic one, or its data when the card fails. */
const ToolCall = (props: ToolCardProps) => {
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

export default ToolCall;

const BuiltinCard = <Name extends BuiltinToolName>({
  name,
  ...props
}: ToolCardProps & { name: Name }) =>
  createElement(CARD[name], { ...props, output: parseOutput(name, props.part) });
