import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor, within } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import type { ToolCallView } from "@/contract/chat-view";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const QUESTION = "Should the tide table be cached, or read anew for each request?";

const ADVICE = `## Cache it, briefly

The table changes **once a day**, so a cache of an hour loses nothing.

1. Key it by harbour *and* day.
2. Drop it when \`depthAt\` changes.

> Risk: two servers disagree for up to an hour.`;

const advice = {
  type: "advice",
  advice: ADVICE,
  advisor_model: "openai/gpt-5",
  remaining_uses: 3,
  usage: { input_tokens: 2_140, output_tokens: 96 },
};

const call = {
  tool_name: "advisor",
  kind: "builtin" as const,
  args: { question: QUESTION },
  args_text: '{"question":"Should the tide table be ca',
  output: advice as NonNullable<ToolCallView["output"]>,
};

const answered = (output: NonNullable<ToolCallView["output"]>) =>
  callInState({ ...call, output }, "completed");

const failedSaying = (message: string): ToolCallView => ({
  ...callInState(call, "error"),
  output: message,
});

/** A failure that the server recorded without an output. */
const failedSilently: ToolCallView = { ...callInState(call, "cancelled"), state: "error" };

const live = (phase: string, text: string): ToolCallView => ({
  ...callInState(call, "running"),
  live_output: { phase, text },
});

const meta = {
  component: ToolCall,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];

const LONG = Array.from(
  { length: 40 },
  (_, index) => `${index + 1}. Sound the channel again at hour ${index + 1}, and write it down.`,
).join("\n");

const header = (canvas: Canvas) => canvas.getByRole("button", { name: /Advisor/ });

export const States: Story = showStates(meta, {
  Streaming: {
    args: { part: callInState(call, "streaming") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Should the tide table be ca")).toBeVisible();
      await expect(header(canvas)).toHaveTextContent("Preparing");
    },
  },
  /** No part of the question has arrived yet. */
  "Streaming, no question": {
    args: { part: { ...callInState(call, "streaming"), args_text: "" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("The agent is writing its question…")).toBeVisible();
    },
  },
  Running: {
    args: { part: callInState(call, "running") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(QUESTION)).toBeVisible();
      // Once in the header and once in the body.
      await expect(canvas.getAllByText(/consulting/i)).toHaveLength(2);
      await expect(header(canvas)).toHaveTextContent("Consulting");
      await expect(canvas.queryByRole("group", { name: "Advice" })).toBeNull();
    },
  },
  "Running, thinking": {
    args: { part: live("thinking", "") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Thinking…")).toBeVisible();
      await expect(header(canvas)).toHaveTextContent("Consulting");
    },
  },
  "Running, answering": {
    args: { part: live("answering", "## Cache it, briefly\n\nThe table changes **once a d") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Answering…")).toBeVisible();
      const text = canvas.getByRole("group", { name: "Advice so far" });
      await expect(await within(text).findByRole("heading")).toHaveTextContent("Cache it, briefly");
      await expect(text).toHaveTextContent(/once a d$/);
    },
  },
  /** The nested call is retried, which clears its text and its phase. */
  "Running, again": {
    args: { part: { ...callInState(call, "running"), live_output: { text: "" } } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Consulting the advisor…")).toBeVisible();
      await expect(canvas.queryByRole("group", { name: "Advice so far" })).toBeNull();
    },
  },
  Completed: {
    play: async ({ canvas }) => {
      await expect(canvas.getAllByText(QUESTION)).toHaveLength(1);
      await expect(await canvas.findByRole("heading", { name: "Cache it, briefly" })).toBeVisible();
      await expect(header(canvas)).toHaveTextContent("Guidance ready");
      await expect(header(canvas)).toHaveAttribute("aria-expanded", "true");
      await expect(canvas.getByText("Advisor model: openai/gpt-5")).toBeVisible();
      await expect(canvas.getByText("Remaining uses: 3")).toBeVisible();
    },
  },
  "Last use": {
    args: { part: answered({ ...advice, remaining_uses: 0 }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Remaining uses: 0")).toBeVisible();
    },
  },
  /** Null means no limit, so no number is shown. */
  Unlimited: {
    args: { part: answered({ ...advice, remaining_uses: null }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Advisor model: openai/gpt-5")).toBeVisible();
      await expect(canvas.queryByText(/Remaining uses/)).toBeNull();
    },
  },
  "Limit reached": {
    args: {
      part: answered({ type: "limit_reached", advice: "Decide yourself.", remaining_uses: 0 }),
    },
    play: async ({ canvas }) => {
      const status = canvas.getByRole("status");
      await expect(status).toHaveTextContent("Advisor limit reached");
      await expect(status).toHaveTextContent("The agent has asked as often as it may in one turn");
      await expect(header(canvas)).toHaveTextContent("Limit reached");
    },
  },
  /** The advisor's model failed, which is a normal outcome of the call. */
  Failed: {
    args: {
      part: answered({
        type: "error",
        error: "The provider is overloaded.",
        advisor_model: "openai/gpt-5",
        remaining_uses: 2,
      }),
    },
    play: async ({ canvas }) => {
      const alert = canvas.getByRole("alert");
      await expect(alert).toHaveTextContent("The advisor could not be asked");
      await expect(alert).toHaveTextContent("The provider is overloaded.");
      await expect(header(canvas)).toHaveTextContent("Request failed");
      await expect(canvas.getByText("Remaining uses: 2")).toBeVisible();
    },
  },
  "Empty question": {
    args: { part: { ...callInState(call, "completed"), args: { question: "  " } } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("The agent asked without a question.")).toBeVisible();
      await expect(await canvas.findByRole("heading", { name: "Cache it, briefly" })).toBeVisible();
    },
  },
  "Empty advice": {
    args: { part: answered({ ...advice, advice: " \n" }) },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByText("The advisor answered, and had no guidance to give."),
      ).toBeVisible();
      await expect(header(canvas)).toHaveTextContent("No guidance");
    },
  },
  /** The call itself failed without a message. */
  "Failed, without a reason": {
    args: { part: failedSaying("") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent(
        "The request failed and gave no reason.",
      );
    },
  },
  "Failed, status without result": {
    args: { part: failedSilently },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toBeVisible();
      await expect(header(canvas)).toHaveTextContent("Request failed");
      await expect(canvas.queryByText(/no guidance/i)).toBeNull();
    },
  },
  "Failed, status with text": {
    args: { part: failedSaying("question: must not be blank") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("question: must not be blank");
    },
  },
  /** Completed, but marked as an error. */
  "Failed, completed with an error": {
    args: { part: { ...answered("The model is gone."), is_error: true } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("The model is gone.");
      await expect(header(canvas)).toHaveTextContent("Request failed");
    },
  },
  "Plain string result": {
    args: { part: answered("Cache it for **an hour**.") },
    play: async ({ canvas }) => {
      const text = await canvas.findByRole("group", { name: "Advice" });
      await waitFor(() => expect(text).toHaveTextContent(/^Cache it for an hour\.$/));
      await expect(header(canvas)).toHaveTextContent("Guidance ready");
    },
  },
  /** A result that is stored as the text of its JSON. */
  "Result as text": {
    args: { part: answered(JSON.stringify(advice)) },
    play: async ({ canvas }) => {
      await expect(await canvas.findByRole("heading", { name: "Cache it, briefly" })).toBeVisible();
      await expect(canvas.getByText("Remaining uses: 3")).toBeVisible();
    },
  },
  /** A result of a newer server that has advice to show. */
  "Unknown type with advice": {
    args: { part: answered({ type: "second_opinion", advice: "Cache it." }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Advice" })).toHaveTextContent("Cache it.");
    },
  },
  "Wrong shape": {
    args: { part: answered({ verdict: [1, 2, 3], remaining_uses: "many" }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(QUESTION)).toBeVisible();
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent('"verdict"');
      await expect(canvas.queryByText(/Remaining uses/)).toBeNull();
    },
  },
  /** Neither the arguments nor the output match their schema. */
  "Wrong shape, types": {
    args: { part: { ...answered([null, 4]), args: "half a quest" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("The agent asked without a question.")).toBeVisible();
      await expect(canvas.getByRole("group", { name: "Output" })).toBeVisible();
    },
  },
  Cancelled: {
    args: { part: callInState(call, "cancelled") },
    play: async ({ canvas }) => {
      await expect(header(canvas)).toHaveTextContent("Cancelled");
      await expect(
        canvas.getByText("The request was cancelled before there was advice."),
      ).toBeVisible();
    },
  },
  "Timed out": {
    args: { part: callInState(call, "timed_out") },
    play: async ({ canvas }) => {
      await expect(header(canvas)).toHaveTextContent("Timed out");
      await expect(canvas.getByText("The advisor did not answer in time.")).toBeVisible();
    },
  },
  "Failed, status": {
    args: { part: callInState(call, "error") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toBeVisible();
    },
  },
});

/** The longest question that is allowed. */
export const LongQuestion: Story = {
  args: {
    part: {
      ...callInState(call, "completed"),
      args: { question: "Is the channel deep enough? ".repeat(71) },
    },
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas }) => {
    const area = canvas.getByRole("group", { name: "Question" });
    await expect(area.scrollHeight).toBeGreaterThan(area.clientHeight);
  },
};

export const LongAdvice: Story = {
  args: { part: answered({ ...advice, advice: LONG }) },
  play: async ({ canvas, userEvent }) => {
    const toggle = header(canvas);
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
    await userEvent.click(toggle);
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    await expect(canvas.queryByText(QUESTION)).toBeNull();
    await expect(canvas.queryByRole("group", { name: "Advice" })).toBeNull();
    await userEvent.click(toggle);
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
    const area = canvas.getByRole("group", { name: "Advice" });
    await waitFor(() => expect(area.scrollHeight).toBeGreaterThan(area.clientHeight));
    await expect(area.clientHeight).toBeLessThanOrEqual(256);
    area.scrollTop = area.scrollHeight;
    await expect(area.scrollTop).toBeGreaterThan(0);
  },
};

export const Narrow: Story = {
  args: {
    part: answered({ ...advice, advisor_model: `openai-compatible/${"very-long-".repeat(8)}name` }),
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(window.innerWidth).toBe(320);
    await expect(await canvas.findByRole("heading", { name: "Cache it, briefly" })).toBeVisible();
    await expect(header(canvas)).toHaveTextContent("Guidance ready");
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const NarrowFailed: Story = {
  args: { part: failedSaying(`No model ${"very-long-".repeat(12)}`) },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByRole("alert")).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Dark: Story = {
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <ToolCall {...args} />
    </div>
  ),
};

export const DarkStates: Story = {
  render: (args) => (
    <div data-theme="dark" className="grid gap-3 p-4">
      <ToolCall {...args} part={live("answering", "Cache it for **an h")} />
      <ToolCall {...args} part={answered({ type: "limit_reached", remaining_uses: 0 })} />
      <ToolCall {...args} part={callInState(call, "error")} />
    </div>
  ),
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
