import { isBehaviorTest } from "../../stories/story-titles.ts";
import type { Story } from "./story-modules.ts";

export type ChosenStory = {
  id: string;
  title: string;
  name: string;
  /** On which sides the story exists. */
  existence: "both" | "before" | "after";
  /** The modules that the story reaches and that differ. */
  differingModules: string[];
};

const listDifferences = (before: Story["modules"], after: Story["modules"]): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((module) => before.get(module) !== after.get(module))
    .sort();

/**
 * Chooses the stories that are photographed: those that exist on one side only, and those that reach a module that
 * differs. Tests are left out, as a reviewer has nothing to look at there.
 *
 * @param options.all also chooses stories whose modules are equal.
 */
export const chooseStories = (
  before: readonly Story[],
  after: readonly Story[],
  { all = false } = {},
): ChosenStory[] => {
  const oldStories = new Map(before.map((story) => [story.id, story]));
  const newIds = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !newIds.has(id));
  return [...after, ...gone]
    .filter(({ name }) => !isBehaviorTest(name))
    .map((story): ChosenStory => {
      const { id, title, name } = story;
      const old = oldStories.get(id);
      if (!old) return { id, title, name, existence: "after", differingModules: [] };
      if (old === story) return { id, title, name, existence: "before", differingModules: [] };
      const differingModules = listDifferences(old.modules, story.modules);
      return { id, title, name, existence: "both", differingModules };
    })
    .filter(
      ({ existence, differingModules }) =>
        all || existence !== "both" || differingModules.length > 0,
    );
};
