import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AskUserQuestionCard } from "@/components/tool-cards/cards/ask-user-question-card";
import type { JsonObject } from "@/contract/json";
import type { Question } from "@/contract/questions";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const port: Question = {
  header: "Port",
  question: "Which port is the table for?",
  options: [{ label: "Brest", description: "On the Atlantic" }, { label: "Dover" }],
  multi_select: false,
};
const days: Question = {
  header: "Days",
  question: "Which days do you sail?",
  options: [{ label: "Saturday" }, { label: "Sunday" }, { label: "Monday" }],
  multi_select: true,
};

const toCall = (...questions: Question[]) => ({
  tool_name: "ask_user_question",
  kind: "builtin" as const,
  args: { questions } as JsonObject,
  args_text: '{"questions":[{"question":"Which po',
  output: { questions } as JsonObject,
});

const asking = (...questions: Question[]) => ({
  part: callInState(toCall(...questions), "completed"),
  output: { questions },
});

const onAnswer = fn();

const meta = {
  component: AskUserQuestionCard,
  args: { ...asking(port), place: { onAnswer }, now: NOW },
  beforeEach: () => {
    onAnswer.mockClear();
  },
} satisfies Meta<typeof AskUserQuestionCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const severalQuestions: Story = { args: asking(port, days) };

export const States: Story = showStates(meta, {
  "Needs you": {},
  "Needs you, several questions": severalQuestions,
  "Answered: the answer is shown, and no other one is taken": {
    args: { place: { reply: "Dover" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Which port is the table for?")).toBeVisible();
      await expect(canvas.getByText("Dover", { exact: true })).toBeVisible();
      await expect(canvas.getByText("Answered")).toBeVisible();
      await expect(canvas.queryByRole("radio")).not.toBeInTheDocument();
    },
  },
  /** The answer was written in the message field, or sent through the API. */
  "Answered, in other words": {
    args: {
      ...asking(port, days),
      place: {
        reply: `Neither. Take the one that is nearest to me.\n${"And be quick. ".repeat(40)}`,
      },
    },
  },
  /** The chat takes no message now, such as an archived one. */
  "A question in a chat that takes no message cannot be answered": {
    args: { place: {} },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Brest · Dover")).toBeVisible();
      await expect(canvas.queryByRole("button", { name: "Send answer" })).not.toBeInTheDocument();
    },
  },
  Streaming: { args: { part: callInState(toCall(port), "streaming"), output: undefined } },
  Failed: {
    args: {
      part: { ...callInState(toCall(port), "error"), output: "The questions must differ." },
      output: undefined,
    },
  },
  "Long texts": {
    args: asking({
      question: `Which ${"extraordinarily-long-word-".repeat(12)}?`,
      options: [
        { label: "Label".repeat(40), description: "Description. ".repeat(30) },
        { label: "Dover" },
      ],
      multi_select: false,
    }),
  },
  /** The output does not have the fields of this tool. */
  "Wrong shape: it is shown as data": {
    args: {
      part: { ...callInState(toCall(port), "completed"), output: { questions: "Which port?" } },
      output: undefined,
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/"questions": "Which port\?"/)).toBeVisible();
    },
  },
});

export const TestClick: Story = {
  name: "(Test) The label of the chosen option is the answer",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(canvas.getByText("Choose an answer.")).toBeVisible();
    await expect(onAnswer).not.toHaveBeenCalled();
    await userEvent.click(canvas.getByRole("radio", { name: "Dover" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(onAnswer).toHaveBeenCalledWith("Dover");
  },
};

export const TestOther: Story = {
  name: "(Test) Other needs a text, which is the answer",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "Other" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(canvas.getByText("Write your answer.")).toBeVisible();
    await userEvent.type(canvas.getByRole("textbox", { name: "Your answer" }), " Calais {enter}");
    await expect(onAnswer).toHaveBeenCalledWith("Calais");
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Several questions are answered by keyboard alone, with a way back",
  ...severalQuestions,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText("Question 1 of 2 · Port")).toBeVisible();
    canvas.getByRole("radio", { name: "Brest" }).focus();
    await userEvent.keyboard(" {ArrowDown}{Enter}");
    await expect(canvas.getByText("Question 2 of 2 · Days")).toBeVisible();
    await expect(canvas.getByRole("checkbox", { name: "Saturday" })).toHaveFocus();
    await userEvent.keyboard(" {Tab} ");
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await expect(canvas.getByRole("radio", { name: "Dover" })).toBeChecked();
    await userEvent.click(canvas.getByRole("button", { name: "Next" }));
    await expect(canvas.getByRole("checkbox", { name: "Sunday" })).toBeChecked();
    await userEvent.click(canvas.getByRole("checkbox", { name: "Other" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "Your answer" }), "Easter");
    await userEvent.keyboard("{Enter}");
    await expect(onAnswer).toHaveBeenCalledWith(
      "1. Port: Dover\n2. Days: Saturday, Sunday, Easter",
    );
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
