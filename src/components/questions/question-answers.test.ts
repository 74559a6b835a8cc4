import { expect, it } from "vitest";
import { QuestionDraft } from "./question-answers";

it.each([
  ["another version", { page: 1, answers: [] }],
  ["another kind of answers", { step: 0, answers: [{ chosen: ["a"] }] }],
  ["nothing", undefined],
])("a stored draft of %s is not read", (_what, stored) => {
  expect(QuestionDraft.safeParse(stored).success).toBe(false);
});

it("a stored draft is read as it was written", () => {
  const draft = { step: 1, answers: [{ chosen: [0], isOther: true, other: "" }] };
  expect(QuestionDraft.parse(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
});
