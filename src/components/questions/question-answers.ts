import * as z from "zod";
import type { Question } from "@/contract/questions";

/** What a person has chosen so far for one question. */
export const QuestionAnswer = z.object({
  /** Indexes of options. */
  chosen: z.array(z.int()).readonly(),
  isOther: z.boolean(),
  /** Kept while "Other" is not chosen, so that a change of mind loses nothing. */
  other: z.string(),
});
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

/** What a person has done so far in a wizard. */
export const QuestionDraft = z.object({
  /** The index of the question that is shown. */
  step: z.int(),
  answers: z.array(QuestionAnswer).readonly(),
});
export type QuestionDraft = z.infer<typeof QuestionDraft>;

export const EMPTY_DRAFT: QuestionDraft = { step: 0, answers: [] };

export const EMPTY_ANSWER: QuestionAnswer = { chosen: [], isOther: false, other: "" };

/** @returns why the answer cannot be sent, or undefined. */
export const findAnswerProblem = ({
  chosen,
  isOther,
  other,
}: QuestionAnswer): string | undefined => {
  if (isOther) return other.trim() === "" ? "Write your answer." : undefined;
  return chosen.length === 0 ? "Choose an answer." : undefined;
};

/** Writes the answers as the user message that the model reads: one alone, several as a list. */
export const toAnswerMessage = (
  questions: readonly Question[],
  answers: readonly QuestionAnswer[],
): string => {
  const texts = questions.map((question, index) =>
    toAnswerText(question, answers[index] ?? EMPTY_ANSWER),
  );
  if (texts.length === 1) return texts.join("");
  return questions
    .map(({ header, question }, index) => `${index + 1}. ${header ?? question}: ${texts[index]}`)
    .join("\n");
};

const toAnswerText = ({ options }: Question, { chosen, isOther, other }: QuestionAnswer): string =>
  [
    ...options.filter((_, index) => chosen.includes(index)).map(({ label }) => label),
    ...(isOther ? [other.trim()] : []),
  ].join(", ");
