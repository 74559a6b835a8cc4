import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import { Outcome } from "@/components/tool-cards/outcome";
import type { ToolCallView } from "@/contract/chat-view";
import type { JsonValue } from "@/contract/json";
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

export const NothingYet: Story = { args: { part: running } };
export const SomethingSoFar: Story = {
  args: { part: { ...running, live_output: { text: "asking 3 sources\n1 answered" } } },
};
export const AtAPhase: Story = {
  args: { part: { ...running, live_output: { phase: "Looking it up", text: "1 answered" } } },
};
export const Fields: Story = {};
export const Text: Story = { args: { part: answered("Two berths are free.") } };
/** Text for the person is shown at once, the model's behind "Details". */
export const ForUser: Story = {
  args: { part: { ...completed, for_user: "Oban has **two** free berths." } },
};
export const LongForUser: Story = {
  args: { part: { ...completed, for_user: "Oban has **two** free berths.\n\n".repeat(40) } },
};
export const Silent: Story = {
  args: { part: { ...completed, for_user: "Never seen.", silent: true } },
};
/** The server has cut the output, which names the file with the whole. */
export const CutByServer: Story = {
  args: {
    part: {
      ...completed,
      output: `first\n[… 5000 bytes left out; the whole is kept as artifact ${tides.id} …]\nlast`,
      artifacts: [tides],
    },
  },
};
export const AnsweredInBrowser: Story = { args: { part: { ...completed, resolved_by: "u1" } } };
export const AnsweredByApi: Story = {
  args: { part: { ...completed, resolved_by: "api_key:k1" } },
};
export const Failed: Story = { args: { part: callInState(call, "error") } };
export const FailedSilently: Story = { args: { part: failedSilently } };
export const FailedWithBlank: Story = { args: { part: failed(" \n") } };
export const FailedWithLines: Story = {
  args: { part: failed("Two fields are wrong:\n- name: is required\n- country: is unknown") },
};
export const FailedAtLength: Story = {
  args: { part: failed("at sound (depth.ts:4)\n".repeat(200)) },
};
export const FailedWithFields: Story = { args: { part: failed({ code: 404, on: "Oban" }) } };
export const Cancelled: Story = { args: { part: callInState(call, "cancelled") } };
export const TimedOut: Story = { args: { part: callInState(call, "timed_out") } };
export const Denied: Story = {
  args: { part: { ...callInState(call, "cancelled"), state: "denied" } },
};
export const DeniedWithReason: Story = { args: { part: callInState(call, "denied") } };

export const TestNothingYet: Story = {
  name: "(Test) Without an output nothing is shown",
  ...NothingYet,
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent(/^$/);
  },
};

export const TestSoFar: Story = {
  name: "(Test) Live output is shown while the tool runs",
  ...SomethingSoFar,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("group", { name: "Output so far" })).toHaveTextContent(
      "asking 3 sources 1 answered",
    );
  },
};

export const TestPhase: Story = {
  name: "(Test) A phase labels the live output",
  ...AtAPhase,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("group", { name: "Looking it up" })).toHaveTextContent(
      "1 answered",
    );
  },
};

export const TestSettled: Story = {
  name: "(Test) The outcome replaces the live output",
  args: { part: { ...completed, live_output: { text: "1 answered" } } },
  play: async ({ canvas }) => {
    await expect(canvas.queryByText("1 answered")).toBeNull();
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent('"berths"');
  },
};

export const TestText: Story = {
  name: "(Test) Text is shown without quotes",
  ...Text,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      /^Two berths are free\.$/,
    );
  },
};

const falsy = (output: boolean | number | string | null): Story => ({
  args: { part: answered(output) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      JSON.stringify(output),
    );
  },
});
export const TestFalse: Story = { name: "(Test) false is an answer", ...falsy(false) };
export const TestZero: Story = { name: "(Test) 0 is an answer", ...falsy(0) };
export const TestEmptyText: Story = { name: "(Test) Empty text is an answer", ...falsy("") };
export const TestNull: Story = { name: "(Test) null is an answer", ...falsy(null) };

export const TestForUser: Story = {
  name: "(Test) Text for the person is shown at once, the output under Details",
  ...ForUser,
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByText("two")).toBeVisible();
    await expect(canvas.queryByRole("group", { name: "Output" })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Details" }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("berths");
  },
};

export const TestLongForUser: Story = {
  name: "(Test) Long text for the person scrolls, also by keyboard",
  ...LongForUser,
  play: async ({ canvas, userEvent }) => {
    const result = canvas.getByRole("group", { name: "Result" });
    await waitFor(() => expect(result.scrollHeight).toBeGreaterThan(result.clientHeight));
    await userEvent.tab();
    await expect(result).toHaveFocus();
  },
};

export const TestSilent: Story = {
  name: "(Test) A silent call does not show its text for the person",
  ...Silent,
  play: async ({ canvas }) => {
    await expect(canvas.queryByText("Never seen.")).toBeNull();
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("berths");
  },
};

export const TestCutByServer: Story = {
  name: "(Test) An output that the server has cut links to the whole",
  ...CutByServer,
  play: async ({ canvas }) => {
    const link = canvas.getByRole("link", { name: "Download the whole output (2.1 KB)" });
    await expect(link).toHaveAttribute("href", `/api/v1/files/${tides.id}`);
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(/first.*last/);
  },
};

const says = (sentence: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(sentence)).toBeVisible();
    await expect(canvas.queryByRole("group")).toBeNull();
  },
});
export const TestFailed: Story = {
  name: "(Test) A failure shows its reason",
  ...says("The path leads out of the workspace.", Failed),
};
export const TestFailedSilently: Story = {
  name: "(Test) A failure without an output says that it gave no reason",
  ...says("The call failed and gave no reason.", FailedSilently),
};
export const TestFailedWithBlank: Story = {
  name: "(Test) A failure with a blank reason says that it gave no reason",
  ...says("The call failed and gave no reason.", FailedWithBlank),
};
export const TestCancelled: Story = {
  name: "(Test) A cancelled call says so",
  ...says("This call was cancelled before it had an outcome.", Cancelled),
};
export const TestTimedOut: Story = {
  name: "(Test) A call that timed out says so",
  ...says("No answer came before the deadline.", TimedOut),
};
export const TestDenied: Story = {
  name: "(Test) A call that was not approved says so",
  ...says("This call was not approved.", Denied),
};
export const TestDeniedWithReason: Story = {
  name: "(Test) A call that was not approved shows the reason",
  ...says("Not now, please.", DeniedWithReason),
};

export const TestFailedWithLines: Story = {
  name: "(Test) A reason keeps its line breaks",
  ...FailedWithLines,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^Two fields are wrong/).innerText).toBe(
      "Two fields are wrong:\n- name: is required\n- country: is unknown",
    );
  },
};

export const TestFailedAtLength: Story = {
  name: "(Test) A long reason scrolls",
  ...FailedAtLength,
  play: async ({ canvas }) => {
    const reason = canvas.getByRole("group", { name: "Error" });
    await expect(reason).toHaveTextContent("at sound (depth.ts:4)");
    await expect(reason.scrollHeight).toBeGreaterThan(reason.clientHeight);
  },
};
export const TestFailedWithFields: Story = {
  name: "(Test) A structured reason shows its fields",
  ...FailedWithFields,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("group", { name: "Error" })).toHaveTextContent(
      '{ "code": 404, "on": "Oban" }',
    );
  },
};

const closesWith = (sentence: RegExp, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(sentence)).toBeVisible();
  },
});
export const TestAnsweredInBrowser: Story = {
  name: "(Test) An answer given in the browser says so",
  ...closesWith(/^Answered by you\b/, AnsweredInBrowser),
};
export const TestAnsweredByApi: Story = {
  name: "(Test) An answer given through the API says so",
  ...closesWith(/^Answered by a program with an API key\b/, AnsweredByApi),
};

const isNobodysAnswer = (part: Partial<ToolCallView>): Story => ({
  args: { part: { ...completed, ...part } },
  play: async ({ canvas }) => {
    await expect(canvas.queryByText(/^Answered/)).toBeNull();
  },
});
export const TestEndedByWorker: Story = {
  name: "(Test) A call that the worker ended names no answerer",
  ...isNobodysAnswer({ state: "error", resolved_by: "worker" }),
};
export const TestTimedOutUnanswered: Story = {
  name: "(Test) A call that timed out names no answerer",
  ...isNobodysAnswer({ state: "timed_out", resolved_by: "u1" }),
};
export const TestToolsOwnAnswer: Story = {
  name: "(Test) A built-in tool names no answerer",
  ...isNobodysAnswer({ kind: "builtin", resolved_by: "u1" }),
};
