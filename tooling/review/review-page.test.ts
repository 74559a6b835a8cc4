import { expect, test } from "vitest";
import { writeReviewPage } from "./review-page";

const STORY = {
  id: "card--states",
  title: "Chat/Card",
  name: "States <wide>",
  status: "changed",
  differingPixels: 1200,
  differingModules: ["src/components/card.tsx"],
  pictures: [
    {
      label: "390 px, dark",
      files: { before: "before/a.png", after: "after/a.png", difference: "difference/a.png" },
    },
  ],
} as const;

const REVIEW = { before: "HEAD~1 (1a2b3c)", after: "this checkout", equalStories: [] };

test("the page shows names, counts and pictures, and loads nothing from a server", () => {
  const gone = {
    ...STORY,
    status: "gone",
    name: "Old",
    pictures: [{ label: "390 px, light", files: { before: "before/b.png" } }],
  } as const;
  const equalStories = [{ title: "Chat/Badge", name: "States" }];
  const page = writeReviewPage({ ...REVIEW, stories: [STORY, gone], equalStories });
  expect(page).toContain("Chat/Card: States &#60;wide&#62;");
  expect(page).not.toContain("<wide>");
  expect(page).toContain("1,200 pixels differ");
  expect(page).toContain("changed (1)");
  expect(page).toContain("gone (1)");
  expect(page).toContain("new (0)");
  expect(page).toContain("Photographed, with equal pictures: 1");
  const sources = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  expect([...new Set(sources)]).toEqual([
    "before/a.png",
    "after/a.png",
    "difference/a.png",
    "before/b.png",
  ]);
});

test("the page says that no picture differs", () => {
  expect(writeReviewPage({ ...REVIEW, stories: [] })).toContain("No picture differs.");
});
