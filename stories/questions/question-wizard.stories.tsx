import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { EMPTY_DRAFT } from "@/components/questions/question-answers";
import { QuestionWizard } from "@/components/questions/question-wizard";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const DAY = {
  header: "Day",
  question: "Which day suits you?",
  options: [{ label: "Saturday" }, { label: "Sunday", description: "Shops are closed." }],
  multi_select: false,
};
const MEALS = {
  header: "Meals",
  question: "Which meals are together?",
  options: [{ label: "Lunch" }, { label: "Dinner" }],
  multi_select: true,
};

const meta = {
  component: QuestionWizard,
  args: {
    questions: [DAY, MEALS],
    initialDraft: EMPTY_DRAFT,
    onDraftChange: fn(),
    onAnswer: fn(),
  },
} satisfies Meta<typeof QuestionWizard>;
export default meta;
type Story = StoryObj<typeof meta>;

const draft = (step: number) => ({
  step,
  answers: [{ chosen: [1], isOther: false, other: "" }],
});

export const States: Story = showStates(meta, {
  "One question": { args: { questions: [DAY] } },
  "First of two": {},
  "First of two, filled": { args: { initialDraft: draft(0) } },
  "Second of two": { args: { initialDraft: draft(1) } },
  "Other answer": {
    args: {
      questions: [DAY],
      initialDraft: {
        step: 0,
        answers: [{ chosen: [], isOther: true, other: "The Friday before" }],
      },
    },
  },
  "Without options": { args: { questions: [{ ...DAY, options: [] }] } },
  "Long texts": {
    args: {
      questions: [
        {
          ...DAY,
          question: "Which day suits you, and everyone who comes along? ".repeat(6),
          options: [
            { label: "Saturday ".repeat(20), description: "In the morning, or later. ".repeat(8) },
            { label: "Sunday-".repeat(30) },
          ],
        },
      ],
    },
  },
});

export const TestUnanswered: Story = {
  name: "(Test) A question without an answer is not left",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Next" }));
    await expect(canvas.getByText(/Question 1 of 2/)).toBeVisible();
    await expect(args.onAnswer).not.toHaveBeenCalled();
  },
};

export const TestAnswers: Story = {
  name: "(Test) All answers are sent as one message",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: /Sunday/ }));
    await userEvent.click(canvas.getByRole("button", { name: "Next" }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "Lunch" }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "Dinner" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onAnswer).toHaveBeenCalledOnce();
    await expect(args.onAnswer).toHaveBeenCalledWith(
      expect.stringMatching(/Sunday[^]*Lunch[^]*Dinner/),
    );
  },
};

export const TestDraft: Story = {
  name: "(Test) Half of the answers are kept, and the wizard goes on from them",
  args: {
    initialDraft: {
      step: 1,
      answers: [
        { chosen: [1], isOther: false, other: "" },
        { chosen: [0], isOther: true, other: "Tea" },
      ],
    },
  },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText(/Question 2 of 2/)).toBeVisible();
    await expect(canvas.getByRole("checkbox", { name: "Lunch" })).toBeChecked();
    await expect(canvas.getByRole("textbox", { name: "Your answer" })).toHaveValue("Tea");
    await userEvent.click(canvas.getByRole("checkbox", { name: "Lunch" }));
    await expect(args.onDraftChange).toHaveBeenLastCalledWith({
      step: 1,
      answers: [
        { chosen: [1], isOther: false, other: "" },
        { chosen: [], isOther: true, other: "Tea" },
      ],
    });
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onAnswer).toHaveBeenCalledWith("1. Day: Sunday\n2. Meals: Tea");
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Ask one question at a time, and say how many follow.",
        example: <QuestionWizard {...meta.args} />,
      },
    ],
    donts: [{ text: "Do not select an option in advance, or leave out “Other”." }],
  }),
};
