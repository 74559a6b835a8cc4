/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import type { ToolCallView } from "@/contract/chat-view";
import { BUILTIN_TOOL_NAMES } from "@/server/app/tool-registry";
import { findCard } from "./card-registry";
import { toCardState } from "./card-state";
import { CARD_STATES } from "@/test/card-states";

type State = { args?: { part?: ToolCallView }; parts?: readonly ToolCallView[] };
/** A story shows one state, or those of `showStates`. */
type StoryFile = Record<string, State & { states?: Record<string, State> }>;

const files = import.meta.glob<StoryFile>("/stories/tool-cards/*-card.stories.tsx", {
  eager: true,
});

const getParts = (card: string): ToolCallView[] =>
  Object.values(files[`/stories/tool-cards/${card}-card.stories.tsx`] ?? {})
    .flatMap(({ states = {}, ...story }) => [story, ...Object.values(states)])
    .flatMap(({ args }) => args?.part ?? []);

const getStates = (card: string) => new Set(getParts(card).map(toCardState));

it.each(CARD_STATES)("the frame of all cards has a story for %s", (state) => {
  expect(getStates("tool")).toContain(state);
});

const cards = BUILTIN_TOOL_NAMES.filter((name) => findCard(name)).map(
  (name) => [name, name.replaceAll("_", "-")] as const,
);

it("each card is that of a tool", () => {
  expect(cards).toHaveLength(Object.keys(import.meta.glob("./cards/*")).length);
});

describe.each(cards)("the card of %s", (name, card) => {
  it("has stories, all of its own tool", () => {
    expect(new Set(getParts(card).map((part) => part.tool_name))).toEqual(new Set([name]));
  });

  it("has one canvas with all states", () => {
    const { parts = [] } = files[`/stories/tool-cards/${card}-card.stories.tsx`]?.AllStates ?? {};
    expect(parts.map(toCardState)).toEqual(CARD_STATES);
  });

  it("does not test the states of the frame again", () => {
    expect(getStates(card).size).toBeLessThan(CARD_STATES.length);
  });
});

it("the generic card has stories of every kind of tool that it shows", () => {
  const kinds = new Set(getParts("generic").map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(["builtin", "dynamic", "recipe", "mcp"]));
});
