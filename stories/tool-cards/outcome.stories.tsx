import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import { Outcome } from "@/components/tool-cards/outcome";
import type { ToolCallView } from "@/contract/chat-view";
import type { JsonValue } from "@/contract/json";
import { showStates } from "../show-states";
import { callInState } from "./call-in-state";

const call = {
  tool_name: "lookup_harbour",
  kind: "dynamic" as const,
  args: { name: "Oban" },
  args_text: '{"name":"Oba',
  output: { latitude: 56.41, longitude: -5.47, berths: [12, 14] },
};
const completed = callInState(call, "completed");
const running = callInState(call, "running");

const meta = { component: Outcome, args: { part: completed } } satisfies Meta<typeof Outcome>;
export default meta;
type Story = StoryObj<typeof meta>;

const answered = (output: JsonValue): ToolCallView => ({ ...completed, output });
const failed = (output: JsonValue): ToolCallView => ({
  ...callInState(call, "error"),
  output,
});
/** A failure without an output. */
const failedSilently: ToolCallView = { ...callInState(call, "cancelled"), state: "error" };

const tides = { id: "a2", name: "tides.csv", media_type: "text/csv", size: 2_100 };

/** Text for the person is shown at once, the model's behind "Details". */
const forUser: Story = {
  args: { part: { ...completed, for_user: "Oban has **two** free berths." } },
};
const longForUser: Story = {
  args: { part: { ...completed, for_user: "Oban has **two** free berths.\n\n".repeat(40) } },
};

const falsy = (output: boolean | number | string | null): Story => ({
  args: { part: answered(output) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      JSON.stringify(output),
    );
  },
});

export const TestForUser: Story = {
  name: "(Test) Text for the person is shown at once, the output under Details",
  ...forUser,
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByText("two")).toBeVisible();
    await expect(canvas.queryByRole("group", { name: "Output" })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Details" }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("berths");
  },
};

export const TestLongForUser: Story = {
  name: "(Test) Long text for the person scrolls, also by keyboard",
  ...longForUser,
  play: async ({ canvas, userEvent }) => {
    const result = canvas.getByRole("group", { name: "Result" });
    await waitFor(() => expect(result.scrollHeight).toBeGreaterThan(result.clientHeight));
    await userEvent.tab();
    await expect(result).toHaveFocus();
  },
};

const says = (sentence: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(sentence)).toBeVisible();
    await expect(canvas.queryByRole("group")).toBeNull();
  },
});

const closesWith = (sentence: RegExp, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(sentence)).toBeVisible();
  },
});

const isNobodysAnswer = (part: Partial<ToolCallView>): Story => ({
  args: { part: { ...completed, ...part } },
  play: async ({ canvas }) => {
    await expect(canvas.queryByText(/^Answered/)).toBeNull();
  },
});

export const States: Story = showStates(meta, {
  "Empty: without an output nothing is shown": {
    args: { part: running },
    play: async ({ canvasElement }) => {
      await expect(canvasElement).toHaveTextContent(/^$/);
    },
  },
  "Running: the live output is shown": {
    args: { part: { ...running, live_output: { text: "asking 3 sources\n1 answered" } } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Output so far" })).toHaveTextContent(
        "asking 3 sources 1 answered",
      );
    },
  },
  "A phase labels the live output": {
    args: { part: { ...running, live_output: { phase: "Looking it up", text: "1 answered" } } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Looking it up" })).toHaveTextContent(
        "1 answered",
      );
    },
  },
  Fields: {},
  "Text is shown without quotes": {
    args: { part: answered("Two berths are free.") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
        /^Two berths are free\.$/,
      );
    },
  },
  "For user": forUser,
  "Long for user": longForUser,
  "A silent call does not show its text for the person": {
    args: { part: { ...completed, for_user: "Never seen.", silent: true } },
    play: async ({ canvas }) => {
      await expect(canvas.queryByText("Never seen.")).toBeNull();
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("berths");
    },
  },
  /** The server has cut the output, which names the file with the whole. */
  "An output that the server has cut links to the whole": {
    args: {
      part: {
        ...completed,
        output: `first\n[… 5000 bytes left out; the whole is kept as artifact ${tides.id} …]\nlast`,
        artifacts: [tides],
      },
    },
    play: async ({ canvas }) => {
      const link = canvas.getByRole("link", { name: "Download the whole output (2.1 KB)" });
      await expect(link).toHaveAttribute("href", `/api/v1/files/${tides.id}`);
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(/first.*last/);
    },
  },
  "An answer given in the browser says so": closesWith(/^Answered by you\b/, {
    args: { part: { ...completed, resolved_by: "u1" } },
  }),
  "An answer given through the API says so": closesWith(
    /^Answered by a program with an API key\b/,
    {
      args: { part: { ...completed, resolved_by: "api_key:k1" } },
    },
  ),
  "Failed: the reason is shown": says("The path leads out of the workspace.", {
    args: { part: callInState(call, "error") },
  }),
  "Failed, without an output": says("The call failed and gave no reason.", {
    args: { part: failedSilently },
  }),
  "Failed, with a blank reason": says("The call failed and gave no reason.", {
    args: { part: failed(" \n") },
  }),
  "Failed, several lines": {
    args: { part: failed("Two fields are wrong:\n- name: is required\n- country: is unknown") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/^Two fields are wrong/).innerText).toBe(
        "Two fields are wrong:\n- name: is required\n- country: is unknown",
      );
    },
  },
  "Failed, long reason": {
    args: { part: failed("at sound (depth.ts:4)\n".repeat(200)) },
    play: async ({ canvas }) => {
      const reason = canvas.getByRole("group", { name: "Error" });
      await expect(reason).toHaveTextContent("at sound (depth.ts:4)");
      await expect(reason.scrollHeight).toBeGreaterThan(reason.clientHeight);
    },
  },
  "Failed, fields": {
    args: { part: failed({ code: 404, on: "Oban" }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Error" })).toHaveTextContent(
        '{ "code": 404, "on": "Oban" }',
      );
    },
  },
  Cancelled: says("This call was cancelled before it had an outcome.", {
    args: { part: callInState(call, "cancelled") },
  }),
  "Timed out": says("No answer came before the deadline.", {
    args: { part: callInState(call, "timed_out") },
  }),
  Denied: says("This call was not approved.", {
    args: { part: { ...callInState(call, "cancelled"), state: "denied" } },
  }),
  "Denied, with a reason": says("Not now, please.", {
    args: { part: callInState(call, "denied") },
  }),
  "The outcome replaces the live output": {
    args: { part: { ...completed, live_output: { text: "1 answered" } } },
    play: async ({ canvas }) => {
      await expect(canvas.queryByText("1 answered")).toBeNull();
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent('"berths"');
    },
  },
  "false is an answer": falsy(false),
  "0 is an answer": falsy(0),
  "Empty text is an answer": falsy(""),
  "null is an answer": falsy(null),
  "A call that the worker ended names no answerer": isNobodysAnswer({
    state: "error",
    resolved_by: "worker",
  }),
  "A call that timed out names no answerer": isNobodysAnswer({
    state: "timed_out",
    resolved_by: "u1",
  }),
  "A built-in tool names no answerer": isNobodysAnswer({ kind: "builtin", resolved_by: "u1" }),
});
