"use client";
import { createElement } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { findCard } from "./card-registry";
import { GenericCard } from "./generic-card";
import type { ToolKind } from "@/contract/part";
import { ProviderCard } from "./provider-card";
import { RawCard } from "./raw-card";
import type { ToolCardProps } from "./tool-card";

/** Shows a call with its tool's card or the generic one, or its data when the card fails. */
const ToolCall = (props: ToolCardProps) => {
  const { kind, tool_name: name } = props.part;
  const card = kind === "builtin" ? findCard(name) : OTHER_CARDS[kind];
  return (
    <ErrorBoundary resetKeys={[props.part]} fallbackRender={() => <RawCard part={props.part} />}>
      {createElement(card ?? GenericCard, props)}
    </ErrorBoundary>
  );
};

const OTHER_CARDS: Partial<Record<ToolKind, typeof GenericCard>> = { provider: ProviderCard };

export default ToolCall;
