/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import type { ToolCallView } from "@/contract/chat-view";
import { CARD } from "./card-registry";
import { CARD_STATES, cardState } from "./card-state";

type StoryFile = Record<string, { name?: string; args?: { part?: ToolCallView } }>;

const files = import.meta.glob<StoryFile>("/stories/tool-cards/*-card.stories.tsx", {
  eager: true,
});

const storiesOf = (card: string) => files[`/stories/tool-cards/${card}-card.stories.tsx`] ?? {};

const cards = [...Object.keys(CARD).map((name) => name.replaceAll("_", "-")), "generic"];

describe.each(cards)("the %s card", (card) => {
  it.each(CARD_STATES)("has a story for %s", (state) => {
    const shown = Object.entries(storiesOf(card)).flatMap(([name, { args }]) =>
      name === "default" || args?.part === undefined ? [] : [cardState(args.part)],
    );
    expect(shown).toContain(state);
  });
});

it("every card’s stories are of its own tool", () => {
  for (const name of Object.keys(CARD)) {
    const stories = Object.values(storiesOf(name.replaceAll("_", "-")));
    const tools = stories.flatMap(({ args }) => (args?.part ? [args.part.tool_name] : []));
    expect(new Set(tools), name).toEqual(new Set([name]));
  }
});
