import * as z from "zod";
import { type Question, AskedQuestions } from "@/contract/questions";
import { defineTool } from "@/server/tools/tool";
import { jsonResult } from "@/server/tools/tool-result";

/** More questions than a person answers at once without losing patience. */
const MAX_QUESTIONS = 4;
const MIN_OPTIONS = 2;
const MAX_OPTIONS = 4;
/** Longest texts, in UTF-16 units; they fit on a phone. */
const MAX_HEADER_LENGTH = 32;
const MAX_QUESTION_LENGTH = 1_000;
const MAX_LABEL_LENGTH = 200;

const text = (maxLength: number) => z.string().trim().min(1).max(maxLength);

const Option = z.object({
  label: text(MAX_LABEL_LENGTH).describe("What the user chooses, in a few words."),
  description: z.string().trim().max(MAX_QUESTION_LENGTH).nullish(),
});

type OptionInput = z.infer<typeof Option>;

const Options = z
  .array(Option)
  .min(MIN_OPTIONS)
  .max(MAX_OPTIONS)
  .describe('The user can always write an answer under "Other", so do not add that option.');

const QuestionInput = z.object({
  header: z
    .string()
    .trim()
    .max(MAX_HEADER_LENGTH)
    .nullish()
    .describe("The subject in a word or two."),
  question: text(MAX_QUESTION_LENGTH),
  options: Options,
  multi_select: z
    .boolean()
    .nullish()
    .describe("Several options can be chosen; false when left out."),
});

export const askUserQuestionTool = defineTool({
  name: "ask_user_question",
  description:
    "Asks the user up to four questions with options, and ends your turn: the answer is the next user message. Use it when you cannot go on without a decision of the user. It must be the only tool call of its batch.",
  example: {
    questions: [{ question: "Which color?", options: [{ label: "Red" }, { label: "Blue" }] }],
  },
  output: AskedQuestions,
  input: z.object({
    questions: z.array(QuestionInput).min(1).max(MAX_QUESTIONS),
  }),
  exclusive: true,
  stopsTurn: true,
  rootOnly: true,
  run: (_context, { questions }) =>
    Promise.resolve(jsonResult({ questions: questions.map(toQuestion) })),
});

/** Leaves out "Other", which the card adds, and an option that is there twice. */
const isShown = ({ label }: OptionInput, index: number, options: readonly OptionInput[]): boolean =>
  !isSameText(label, "other") &&
  options.findIndex((option) => isSameText(option.label, label)) === index;

const isSameText = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

const toQuestion = ({ header, question, options, ...input }: z.infer<typeof QuestionInput>) => {
  const shown: Question = {
    ...(header && { header }),
    question,
    options: options
      .filter(isShown)
      .map(({ label, description }) => ({ label, ...(description && { description }) })),
    multi_select: input.multi_select ?? false,
  };
  return shown;
};
