import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { GenericCard } from "@/components/tool-cards/generic-card";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "lookup_harbour",
  kind: "dynamic" as const,
  args: { name: "Oban", country: "GB" },
  args_text: '{"name":"Oban","cou',
  output: { latitude: 56.41, longitude: -5.47, berths: [12, 14] },
};

const meta = {
  component: GenericCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof GenericCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Streaming: Story = { args: { part: callInState(call, "streaming") } };
export const Running: Story = { args: { part: callInState(call, "running") } };
export const AwaitingResult: Story = { args: { part: callInState(call, "awaiting_result") } };
export const AwaitingApproval: Story = { args: { part: callInState(call, "awaiting_approval") } };
export const Completed: Story = { args: { part: callInState(call, "completed") } };
export const Failed: Story = { args: { part: callInState(call, "error") } };
export const Cancelled: Story = { args: { part: callInState(call, "cancelled") } };
export const TimedOut: Story = { args: { part: callInState(call, "timed_out") } };
export const Denied: Story = { args: { part: callInState(call, "denied") } };

export const Recipe: Story = {
  args: { part: { ...callInState(call, "completed"), kind: "recipe", tool_name: "code_runner" } },
};
export const Mcp: Story = {
  args: {
    part: { ...callInState(call, "completed"), kind: "mcp", tool_name: "acme__find-ticket" },
  },
};

/** Text for the person is shown at once, the model's behind "Details". */
export const ForUser: Story = {
  args: {
    part: { ...callInState(call, "completed"), for_user: "Oban has **two** free berths." },
  },
};
export const Silent: Story = {
  args: { part: { ...callInState(call, "completed"), for_user: "Never seen.", silent: true } },
};
export const LiveOutput: Story = {
  args: {
    part: {
      ...callInState(call, "running"),
      live_output: { phase: "Looking it up", text: "asking 3 sources\n1 answered" },
    },
  },
};
export const WithArtifacts: Story = {
  args: {
    part: {
      ...callInState(call, "completed"),
      for_user: "Two files.",
      artifacts: [
        { id: "a1", name: "chart.pdf", media_type: "application/pdf", size: 812_000 },
        { id: "a2", name: "tides.csv", media_type: "text/csv", size: 2_100 },
      ],
    },
  },
};
export const AnsweredByApi: Story = {
  args: { part: { ...callInState(call, "completed"), resolved_by: "api_key:k1" } },
};
export const ArgsNoJson: Story = {
  args: { part: { ...callInState(call, "error"), args: '{"name": Oban' } },
};

const open = async (
  canvas: { getByRole: (role: string, options: { name: RegExp }) => HTMLElement },
  userEvent: { click: (element: HTMLElement) => Promise<void> },
) => userEvent.click(canvas.getByRole("button", { name: /Lookup harbour/ }));

export const TestInputAndOutput: Story = {
  name: "(Test) Opens to input and output, and closes",
  ...Completed,
  play: async ({ canvas, userEvent }) => {
    await open(canvas, userEvent);
    await expect(canvas.getByRole("group", { name: "Input" })).toHaveTextContent('"name": "Oban"');
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent('"berths"');
    await expect(canvas.getByText("2.4s")).toBeVisible();
    await open(canvas, userEvent);
    await expect(canvas.queryByRole("group")).toBeNull();
  },
};

const falsy = (output: boolean | number | string | null): Story => ({
  args: { part: { ...callInState(call, "completed"), output } },
  play: async ({ canvas, userEvent }) => {
    await open(canvas, userEvent);
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      JSON.stringify(output),
    );
  },
});
export const TestFalse: Story = { name: "(Test) false is an answer", ...falsy(false) };
export const TestZero: Story = { name: "(Test) 0 is an answer", ...falsy(0) };
export const TestEmptyText: Story = { name: "(Test) Empty text is an answer", ...falsy("") };
export const TestNull: Story = { name: "(Test) null is an answer", ...falsy(null) };

export const TestPartialInput: Story = {
  name: "(Test) Half-streamed arguments are readable",
  ...Streaming,
  play: async ({ canvas, userEvent }) => {
    await open(canvas, userEvent);
    await expect(canvas.getByRole("group", { name: "Input" })).toHaveTextContent(
      '{ "name": "Oban" }',
    );
  },
};

export const TestForUser: Story = {
  name: "(Test) Text for the person is shown unasked, the output under Details",
  ...ForUser,
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByText("two")).toBeVisible();
    await expect(canvas.queryByRole("group", { name: "Output" })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Details" }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("berths");
  },
};

export const TestSilent: Story = {
  name: "(Test) A silent call stays closed and keeps its text for the person to itself",
  ...Silent,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("button")).toHaveAttribute("aria-expanded", "false");
    await open(canvas, userEvent);
    await expect(canvas.queryByText("Never seen.")).toBeNull();
  },
};

export const TestError: Story = {
  name: "(Test) A failure says why",
  ...Failed,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText("Failed")).toBeVisible();
    await open(canvas, userEvent);
    await expect(canvas.getByText("The path leads out of the workspace.")).toBeVisible();
  },
};
