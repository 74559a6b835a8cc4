import { describe, expect, it } from "vitest";
import type { Mentionable } from "./mentions";
import { addToChoice, listChosen, removeFromChoice } from "./tool-choice";

const ALL = { tools: null, groups: [] };
const exec = { kind: "tool", name: "exec" } as const;
const review = { kind: "group", name: "review" } as const;

describe("a choice", () => {
  it("has what is added once, and is unchanged without anything new", () => {
    const both = { tools: ["exec"], groups: ["review"] };
    expect(addToChoice(ALL, [review])).toEqual({ tools: null, groups: ["review"] });
    expect(addToChoice(ALL, [exec, review, exec])).toEqual(both);
    expect(addToChoice(both, [exec, review])).toBeUndefined();
    expect(addToChoice(ALL, [])).toBeUndefined();
  });

  it("is that of all tools again when the last one is removed", () => {
    const both = { tools: ["exec"], groups: ["review"] };
    expect(removeFromChoice(both, exec)).toEqual({ tools: null, groups: ["review"] });
    expect(removeFromChoice(both, review)).toEqual({ tools: ["exec"], groups: [] });
    expect(removeFromChoice({ tools: ["exec"], groups: [] }, exec)).toEqual(ALL);
    expect(removeFromChoice(both, { kind: "tool", name: "review" })).toEqual(both);
  });

  it("stays that of no tools", () => {
    const none = { tools: [], groups: [] };
    const added = addToChoice(none, [review]) ?? none;
    expect(added).toEqual({ tools: [], groups: ["review"] });
    expect(removeFromChoice(added, review)).toEqual(none);
  });

  it("lists groups first, and says what is gone once that is known", () => {
    const known: Mentionable[] = [{ ...review, description: "Reviews", isOffered: true }];
    const choice = { tools: ["exec"], groups: ["review"] };
    expect(listChosen(choice, known)).toEqual([
      known[0],
      {
        ...exec,
        description: "",
        isOffered: false,
        problem: expect.stringContaining("“exec”") as string,
      },
    ]);
    expect(listChosen(choice, undefined).map(({ problem }) => problem)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
