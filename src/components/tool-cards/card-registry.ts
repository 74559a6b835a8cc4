import type { ComponentType } from "react";
import type { ToolCardProps } from "./tool-card";

// Without the option `import`, as Next's bundler would then rename the exports that it names.
/** A built-in tool has a card of its own if a file of `cards` is named after it and exports the card as its default. */
const CARDS = import.meta.glob<{ default: ComponentType<ToolCardProps> }>("./cards/*-card.tsx", {
  eager: true,
});

/** @returns undefined for a tool without a card of its own. */
export const findCard = (toolName: string): ComponentType<ToolCardProps> | undefined =>
  CARDS[`./cards/${toolName.replaceAll("_", "-")}-card.tsx`]?.default;
