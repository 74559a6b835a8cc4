/// <reference types="vite/client" />
import { text } from "node:stream/consumers";
import { prerenderToNodeStream } from "react-dom/static";
import { describe, expect, it } from "vitest";
import type { Rules } from "../stories/show-rules";
import { RULED_COMPONENTS, WITHOUT_STORIES } from "../stories/component-list";

type StoryFile = Record<string, { rules?: Rules; render?: () => React.ReactNode }>;

const toName = (path: string): string =>
  path.replace(/^\/(src\/components|stories)\//, "").replace(/(\.stories)?\.tsx$/, "");

const components = Object.keys(import.meta.glob("/src/components/**/*.tsx"))
  .map(toName)
  .filter((name) => !name.endsWith(".test"));
const files = import.meta.glob<StoryFile>("/stories/*/*.stories.tsx");
const loadStories = new Map(Object.entries(files).map(([path, load]) => [toName(path), load]));

/** The cards of tools have their stories in the folder of all cards. */
const toStoryName = (component: string): string => component.replace("/cards/", "/");

const exempt = Object.keys(WITHOUT_STORIES);

describe("the stories of components", () => {
  it("are there, or a reason why not", () => {
    const missing = components.filter((name) => !loadStories.has(toStoryName(name)));
    expect(missing.toSorted()).toEqual(exempt.toSorted());
  });
});

const ruled = [
  ...components.filter((name) => name.startsWith("ui/") && !exempt.includes(name)),
  ...RULED_COMPONENTS,
];

describe.each(ruled)("the do and don't of %s", (name) => {
  it("has both, and renders", async () => {
    const { Rules: story } = (await loadStories.get(name)?.()) ?? {};
    expect(story?.rules?.dos.length).toBeGreaterThan(0);
    expect(story?.rules?.donts.length).toBeGreaterThan(0);
    const { prelude } = await prerenderToNodeStream(story?.render?.());
    expect(await text(prelude)).toContain("Don’t");
  });
});
