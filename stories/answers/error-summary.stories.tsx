import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ErrorSummary } from "@/components/answers/error-summary";
import type { AnswerableCall } from "@/contract/call";
import type { FieldError, Problem } from "@/contract/problem";
import { showStates } from "../show-states";

const call = (tool_call_id: string, tool_name: string): AnswerableCall => ({
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
  args: {
    calls: [order],
    getErrors: noErrors,
    problem: undefined,
    otherErrors: [],
    onSelect: fn(),
  },
} satisfies Meta<typeof ErrorSummary>;
export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];

const bullets = (canvas: Canvas) =>
  canvas.getAllByRole("listitem").map(({ textContent }) => textContent);

const serverProblemWithFieldErrors: Story = {
  args: {
    getErrors,
    problem: { ...problem, errors: [{ pointer: "/results/0/output/state", message: "is wrong" }] },
  },
};

export const States: Story = showStates(meta, {
  "No errors": {},
  "All errors of a call are listed with their fields": {
    args: { getErrors },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent(/^Not sent yet:/);
      await expect(bullets(canvas)).toEqual([
        "State is required.",
        "Lines › item 1 › Sku must be a string.",
      ]);
    },
  },
  "With several calls each error names its tool": {
    args: { calls: [order, ask], getErrors },
    play: async ({ canvas }) => {
      await expect(bullets(canvas)).toEqual([
        "1 · Look up order: State is required.",
        "1 · Look up order: Lines › item 1 › Sku must be a string.",
        "2 · Ask colleague: The answer must say what went wrong.",
      ]);
    },
  },
  "A problem without errors is shown": {
    args: { problem },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent(problem.detail);
      await expect(canvas.queryByRole("list")).toBeNull();
    },
  },
  "The message of the server is the title of the list": {
    ...serverProblemWithFieldErrors,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent(
        /^The answer was refused:State is required\./,
      );
      await expect(canvas.queryByText("Not sent yet:")).toBeNull();
    },
  },
  "Errors without a field are listed with their pointers": {
    args: {
      problem,
      otherErrors: [
        { pointer: "/results", message: "is missing an answer for call-3" },
        { pointer: "", message: "has a key too many" },
      ],
    },
    play: async ({ canvas }) => {
      await expect(bullets(canvas)).toEqual([
        "/results is missing an answer for call-3.",
        "Has a key too many.",
      ]);
    },
  },
  "The same error in two calls of one tool is listed for each": {
    args: {
      calls: [order, call("call-3", "look_up_order")],
      getErrors: () => [{ pointer: "/state", message: "is required" }],
    },
    play: async ({ canvas }) => {
      await expect(bullets(canvas)).toEqual([
        "1 · Look up order: State is required.",
        "2 · Look up order: State is required.",
      ]);
    },
  },
  "The summary disappears when all errors are resolved": {
    args: { ...serverProblemWithFieldErrors.args, getErrors: noErrors },
    play: async ({ canvasElement }) => {
      await expect(canvasElement).toHaveTextContent(/^$/);
    },
  },
  "Without errors nothing is rendered": {
    play: async ({ canvas, canvasElement }) => {
      await expect(canvas.queryByRole("alert")).toBeNull();
      await expect(canvasElement).toHaveTextContent(/^$/);
    },
  },
});

export const ManyErrors: Story = {
  args: {
    getErrors: () =>
      Array.from({ length: 15 }, (_, index) => ({
        pointer: `/lines/${index}/sku`,
        message: "must be a string",
      })),
  },
  globals: { viewport: { value: "mobile1" } },
};

export const TestManyErrors: Story = {
  name: "(Test) Of many errors the first are shown, and the others on request",
  ...ManyErrors,
  play: async ({ canvas, userEvent }) => {
    await expect(bullets(canvas)).toHaveLength(3);
    await userEvent.click(canvas.getByRole("button", { name: "Show 12 more" }));
    await expect(bullets(canvas)).toHaveLength(15);
    await expect(canvas.getByRole("button", { name: /item 4 / })).toHaveFocus();
  },
};

export const TestTitles: Story = {
  name: "(Test) Fields are named by their titles, and each error leads to its field",
  args: {
    calls: [
      {
        ...order,
        output_schema: {
          type: "object",
          properties: {
            state: { type: "string", title: "State of the order" },
            lines: {
              type: "array",
              title: "Order lines",
              items: { type: "object", properties: { sku: { type: "string", title: "Article" } } },
            },
          },
        },
      },
    ],
    getErrors,
  },
  play: async ({ args, canvas, userEvent }) => {
    await expect(bullets(canvas)).toEqual([
      "State of the order is required.",
      "Order lines › item 1 › Article must be a string.",
    ]);
    await userEvent.click(canvas.getByRole("button", { name: /Article/ }));
    await expect(args.onSelect).toHaveBeenCalledWith("call-1", "/lines/0/sku");
  },
};

/** Long names wrap. */
export const LongTexts: Story = {
  args: {
    calls: [call("call-1", "x".repeat(64)), ask],
    getErrors: () => [{ pointer: `/${"y".repeat(200)}`, message: "is required" }],
    problem: { ...problem, detail: `${problem.detail} `.repeat(10) },
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
