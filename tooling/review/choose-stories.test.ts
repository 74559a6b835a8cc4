import { expect, test } from "vitest";
import { chooseStories } from "./choose-stories";
import { listStories, type Story } from "./story-modules";

const CARD = "src/components/card.tsx";
const BUTTON = "src/components/button.tsx";

/** The stories of a small Storybook, whose modules have the versions that are given. */
const list = (
  versions: Record<string, string>,
  files: Record<string, string[]> = { card: ["States", "(Test) opens"], badge: ["States"] },
): Story[] => {
  const reasons = (...names: string[]) => names.map((moduleName) => ({ moduleName }));
  const stats = {
    modules: [
      { id: "./stories/card.stories.tsx", reasons: reasons("/virtual:/stories.js") },
      { id: "./stories/badge.stories.tsx", reasons: reasons("/virtual:/stories.js") },
      { id: `./${CARD}`, reasons: reasons("./stories/card.stories.tsx") },
      // With a cycle, and loaded late.
      { id: `./${BUTTON}`, reasons: reasons(`./${CARD}`, `./${BUTTON}`) },
      { id: "../linked/node_modules/@icons/set/dist/x.js", reasons: reasons(`./${BUTTON}`) },
      {
        id: "../linked/node_modules/clsx/index.js",
        reasons: reasons("../linked/node_modules/@icons/set/dist/x.js"),
      },
      { id: "./src/globals.css", reasons: reasons("./.storybook/preview.tsx") },
    ],
  };
  const entries = Object.entries(files).flatMap(([file, names]) => [
    { id: `${file}--docs`, type: "docs", title: file, name: "Docs" },
    ...names.map((name) => ({ id: `${file}--${name}`, type: "story", title: file, name })),
  ]);
  const index = {
    entries: Object.fromEntries(
      entries.map((entry) => [
        entry.id,
        { ...entry, importPath: `./stories/${entry.title}.stories.tsx` },
      ]),
    ),
  };
  return listStories(stats, index, (module) =>
    module.includes("virtual:") ? undefined : (versions[module] ?? "1"),
  );
};

const choose = (before: Record<string, string>, after: Record<string, string>) =>
  chooseStories(list(before), list(after)).map(({ id, differingModules }) => [
    id,
    differingModules,
  ]);

test.each([
  ["its own file", "stories/card.stories.tsx", ["card--States"]],
  ["what it imports", CARD, ["card--States"]],
  ["what that imports", BUTTON, ["card--States"]],
  ["a package", "node_modules/@icons/set", ["card--States"]],
  ["a package of a package", "node_modules/clsx", ["card--States"]],
  ["a style sheet of all stories", "src/globals.css", ["card--States", "badge--States"]],
  ["the file that shows all stories", ".storybook/preview.tsx", ["card--States", "badge--States"]],
  ["a file that no story reaches", "src/server/env.ts", []],
])("a story is chosen when a module differs: %s", (_, module, ids) => {
  expect(choose({}, { [module]: "2" })).toEqual(ids.map((id) => [id, [module]]));
});

test("no story is chosen when nothing differs, and each with --all, without tests and documents", () => {
  expect(choose({}, {})).toEqual([]);
  const all = chooseStories(list({}), list({}), { all: true });
  expect(all.map(({ id, existence }) => [id, existence])).toEqual([
    ["card--States", "both"],
    ["badge--States", "both"],
  ]);
});

test("new stories and those that are gone are chosen", () => {
  const chosen = chooseStories(
    list({}, { card: ["States", "Old", "(Test) old"] }),
    list({}, { card: ["States", "New"], badge: ["States"] }),
  );
  expect(chosen.map(({ id, existence }) => [id, existence])).toEqual([
    ["card--New", "after"],
    ["badge--States", "after"],
    ["card--Old", "before"],
  ]);
});

test("a module that a story reaches no more, or only now, differs", () => {
  const [story] = list({}, { card: ["States"] });
  if (!story) throw new Error("there is no story");
  const without = new Map([...story.modules].filter(([module]) => module !== BUTTON));
  const shorter = { ...story, modules: without };
  for (const [before, after] of [
    [story, shorter],
    [shorter, story],
  ] as const) {
    const [chosen] = chooseStories([before], [after]);
    expect(chosen?.differingModules).toEqual([BUTTON]);
  }
});
