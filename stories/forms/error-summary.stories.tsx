import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ErrorSummary } from "@/components/forms/error-summary";
import type { PendingToolCall } from "@/contract/chat";
import type { FieldError, Problem } from "@/contract/problem";

const call = (tool_call_id: string, tool_name: string): PendingToolCall => ({
  tool_call_id,
  tool_name,
  args: {},
});
const order = call("call-1", "look_up_order");
const ask = call("call-2", "ask_colleague");

const NO_ERRORS: readonly FieldError[] = [];
const ERRORS = new Map<string, readonly FieldError[]>([
  [
    "call-1",
    [
      { pointer: "/state", message: "is required" },
      { pointer: "/lines/0/sku", message: "must be a string" },
    ],
  ],
  ["call-2", [{ pointer: "", message: "must say what went wrong" }]],
]);
const getErrors = (toolCallId: string) => ERRORS.get(toolCallId) ?? NO_ERRORS;
const noErrors: typeof getErrors = () => NO_ERRORS;

const problem: Problem = {
  type: "about:blank",
  title: "Invalid request",
  status: 400,
  detail: "The answers do not fit what the tools promise.",
  code: "invalid",
  request_id: "req_1",
};

const meta = {
  component: ErrorSummary,
  args: { calls: [order], getErrors: noErrors, problem: undefined, otherErrors: [] },
} satisfies Meta<typeof ErrorSummary>;
export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];

const bullets = (canvas: Canvas) =>
  canvas.getAllByRole("listitem").map(({ textContent }) => textContent);

export const Nothing: Story = {};
export const OneCall: Story = { args: { getErrors } };
export const SeveralCalls: Story = { args: { calls: [order, ask], getErrors } };
export const Refused: Story = { args: { problem } };
export const RefusedForFields: Story = {
  args: {
    getErrors,
    problem: { ...problem, errors: [{ pointer: "/results/0/output/state", message: "is wrong" }] },
  },
};
export const RefusedForMore: Story = {
  args: {
    problem,
    otherErrors: [
      { pointer: "/results", message: "is missing an answer for call-3" },
      { pointer: "", message: "has a key too many" },
    ],
  },
};
export const LongTexts: Story = {
  args: {
    calls: [call("call-1", "x".repeat(64)), ask],
    getErrors: () => [{ pointer: `/${"y".repeat(200)}`, message: "is required" }],
    problem: { ...problem, detail: `${problem.detail} `.repeat(10) },
  },
  globals: { viewport: { value: "mobile1" } },
};

export const TestOneCall: Story = {
  name: "(Test) The problems of one call are told at once, each a sentence that names its field",
  ...OneCall,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent(/^Not sent yet:/);
    await expect(bullets(canvas)).toEqual([
      "State is required.",
      "Lines › item 1 › Sku must be a string.",
    ]);
  },
};

export const TestSeveralCalls: Story = {
  name: "(Test) With several calls each problem names its tool",
  ...SeveralCalls,
  play: async ({ canvas }) => {
    await expect(bullets(canvas)).toEqual([
      "Look up order: State is required.",
      "Look up order: Lines › item 1 › Sku must be a string.",
      "Ask colleague: The answer must say what went wrong.",
    ]);
  },
};

export const TestSameTool: Story = {
  name: "(Test) What is wrong in two calls of one tool alike is said once",
  args: {
    calls: [order, call("call-3", "look_up_order")],
    getErrors: () => [{ pointer: "/state", message: "is required" }],
  },
  play: async ({ canvas }) => {
    await expect(bullets(canvas)).toEqual(["Look up order: State is required."]);
  },
};

export const TestRefusedForFields: Story = {
  name: "(Test) A problem stands above the problems that are not settled",
  ...RefusedForFields,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent(
      /^The answers do not fit what the tools promise\.State is required\./,
    );
    await expect(canvas.queryByText("Not sent yet:")).toBeNull();
  },
};

export const TestRefusedForMore: Story = {
  name: "(Test) What the server says of no field is told too, by its place if it has one",
  ...RefusedForMore,
  play: async ({ canvas }) => {
    await expect(bullets(canvas)).toEqual([
      "/results is missing an answer for call-3.",
      "Has a key too many.",
    ]);
  },
};

export const TestRefused: Story = {
  name: "(Test) A problem without details stays",
  ...Refused,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent(problem.detail);
    await expect(canvas.queryByRole("list")).toBeNull();
  },
};

export const TestSettled: Story = {
  name: "(Test) A problem goes when all that it was about was changed",
  args: { ...RefusedForFields.args, getErrors: noErrors },
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent(/^$/);
  },
};

export const TestNothing: Story = {
  name: "(Test) Without problems there is nothing",
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.queryByRole("alert")).toBeNull();
    await expect(canvasElement).toHaveTextContent(/^$/);
  },
};

export const TestLongTexts: Story = {
  name: "(Test) Long names stay within the page",
  ...LongTexts,
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
