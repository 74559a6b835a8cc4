import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { GenericCard } from "@/components/tool-cards/generic-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

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

type Play = NonNullable<Story["play"]>;
const open = ({ canvas, userEvent }: Parameters<Play>[0]) =>
  userEvent.click(canvas.getByRole("button", { name: /Lookup harbour/ }));

const partialArgs: Story = { args: { part: callInState(call, "streaming") } };

export const TestHiddenOutput: Story = {
  name: "(Test) A recipe that hides its output says so in one line",
  args: {
    part: {
      ...callInState({ ...call, output: "hidden" }, "completed"),
      kind: "recipe",
      tool_name: "lookup_harbour",
      silent: true,
    },
  },
  play: async (context) => {
    await open(context);
    const { canvas } = context;
    await expect(
      canvas.getByText("The output of this recipe is for the model only."),
    ).toBeVisible();
    await expect(canvas.queryByText("hidden")).toBeNull();
  },
};

const QUESTION = { message: "Which berth?", requested_schema: { type: "object" } };

export const TestQuestion: Story = {
  name: "(Test) A call whose server has asked shows the question and its answer",
  args: {
    part: {
      ...callInState(call, "completed"),
      kind: "mcp",
      elicitations: [
        { ...QUESTION, answer: { action: "accept", content: { berth: 12 } } },
        { ...QUESTION, message: "For how long?", answer: { action: "decline" } },
      ],
    },
  },
  play: async (context) => {
    const { canvas } = context;
    await open(context);
    await expect(canvas.getByText("Which berth?")).toBeVisible();
    await expect(canvas.getByRole("group", { name: "Answer 1" })).toHaveTextContent('"berth": 12');
    await expect(canvas.getByText("Declined.")).toBeVisible();
  },
};

export const TestOpenQuestion: Story = {
  name: "(Test) An open question waits, one that was closed has no answer",
  args: {
    part: { ...callInState(call, "awaiting_result"), kind: "mcp", elicitations: [QUESTION] },
  },
  play: async (context) => {
    await open(context);
    await expect(context.canvas.getByText("Waits for an answer.")).toBeVisible();
  },
};

const cards = {
  append_file: {
    label: "Append to file",
    icon: "file-plus" as const,
    detail: "path",
    text: { argument: "content", label: "Added" },
  },
};
const appended = {
  tool_name: "append_file",
  kind: "builtin" as const,
  args: { path: "notes/tides.md", content: "- highest on Friday\n" },
  args_text: '{"path":"notes/tides.md","content":"- highest on Fr',
  output: 'Added 20 bytes to "notes/tides.md", which now has 47.',
};
const builtin: Story = { args: { part: callInState(appended, "completed"), place: { cards } } };

export const TestBuiltin: Story = {
  name: "(Test) A built-in tool has the label, the detail and the text that the server names",
  ...builtin,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Append to file notes\/tides.md/ }));
    await expect(canvas.getByRole("group", { name: "Added" })).toHaveTextContent(
      "- highest on Friday",
    );
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("now has 47");
  },
};

export const TestStreamedText: Story = {
  name: "(Test) The text can be read while it is being written",
  args: { part: callInState(appended, "streaming"), place: { cards } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Append to file/ }));
    await expect(canvas.getByRole("group", { name: "Added" })).toHaveTextContent("- highest on Fr");
  },
};

export const TestWrongShape: Story = {
  name: "(Test) Arguments of a wrong shape do not break the card",
  args: {
    part: { ...callInState(appended, "completed"), args: { path: 7, content: ["x"] } },
    place: { cards },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Append to file/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(/^Added 20/);
  },
};

const argsNoJson: Story = {
  args: { part: { ...callInState(call, "error"), args: '{"name": Oban' } },
};

export const States: Story = showStates(meta, {
  Dynamic: {},
  "Built in": builtin,
  "A built-in tool while the server’s list of tools is loading": {
    args: { part: callInState(appended, "completed") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /^Append file/ })).toBeVisible();
    },
  },
  "What changed replaces the text": {
    args: {
      part: { ...callInState(appended, "completed"), for_user: "+- springs run strong" },
      place: { cards },
    },
    play: async ({ canvas }) => {
      await expect(await canvas.findByText(/springs run strong/)).toBeVisible();
      await expect(canvas.queryByRole("group", { name: "Added" })).toBeNull();
    },
  },
  Streaming: partialArgs,
  Recipe: {
    args: { part: { ...callInState(call, "completed"), kind: "recipe", tool_name: "code_runner" } },
  },
  "Recipe output": {
    args: {
      part: {
        ...callInState({ ...call, output: "All tests passed." }, "completed"),
        kind: "recipe",
        tool_name: "run_tests",
        for_user: "\u001b[32m12 passed\u001b[0m",
      },
    },
  },
  "A tool’s identifier becomes a readable label": {
    args: {
      part: { ...callInState(call, "completed"), kind: "mcp", tool_name: "acme__find-ticket" },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /^Acme find ticket/ })).toBeVisible();
    },
  },
  "Wrong shape, arguments": argsNoJson,
});

export const TestInputAndOutput: Story = {
  name: "(Test) Opens to input and output, and closes",
  play: async (context) => {
    const { canvas } = context;
    await open(context);
    await expect(canvas.getByRole("group", { name: "Input" })).toHaveTextContent('"name": "Oban"');
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent('"berths"');
    await expect(canvas.getByText("2.4s")).toBeVisible();
    await open(context);
    await expect(canvas.queryByRole("group")).toBeNull();
  },
};

export const TestPartialInput: Story = {
  name: "(Test) Partial arguments are readable",
  ...partialArgs,
  play: async (context) => {
    const { canvas } = context;
    await open(context);
    await expect(canvas.getByRole("group", { name: "Input" })).toHaveTextContent(
      '{ "name": "Oban" }',
    );
  },
};

export const TestArgsNoJson: Story = {
  name: "(Test) Arguments that are not JSON are shown unchanged",
  ...argsNoJson,
  play: async (context) => {
    await open(context);
    const input = context.canvas.getByRole("group", { name: "Input" });
    await expect(input).toHaveTextContent(/^\{"name": Oban$/);
  },
};

export const TestAnswered: Story = {
  name: "(Test) A finished dynamic call says what was answered, by whom and when",
  args: {
    part: {
      ...callInState(call, "completed"),
      output: "Twelve berths",
      resolved_by: "user",
    },
  },
  play: async ({ canvas, userEvent }) => {
    const line = canvas.getByRole("button", { name: /^Lookup harbour Twelve berths/ });
    await userEvent.click(line);
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("Twelve berths");
    await expect(canvas.getByText(/^Answered by you,/)).toHaveTextContent(/, \d{1,2}:\d{2}/);
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
