import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SearchFilesCard } from "@/components/tool-cards/cards/search-files-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const output = {
  files: [
    {
      path: "src/tides/depth.ts",
      matches: [
        { line: 3, text: "const TIDE_HOURS = 12;" },
        { line: 118, text: "  return hour / TIDE_HOURS;" },
      ],
    },
    {
      path: "notes/tides.md",
      matches: [{ line: 1, text: "# TIDE tables" }],
      has_more: true,
    },
  ],
  note: "Only the first 100 matches are here. Narrow the pattern, the path or the glob.",
};

const call = {
  tool_name: "search_files",
  kind: "builtin" as const,
  args: { pattern: "TIDE", path: "src", glob: "*.ts" },
  args_text: '{"pattern":"TID',
  output,
};

const meta = {
  component: SearchFilesCard,
  args: { part: callInState(call, "completed"), output, now: NOW },
} satisfies Meta<typeof SearchFilesCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const nothing = { files: [], note: "Nothing was found. Hidden and ignored files were left out." };

const badPattern: Story = {
  args: {
    part: {
      ...callInState(call, "error"),
      args: { pattern: "foo(" },
      output: "ripgrep: regex parse error:\n    (?:foo()\n    ^\nerror: unclosed group",
    },
    output: undefined,
  },
};

export const States: Story = showStates(meta, {
  Found: {},
  "Nothing found": {
    args: { part: { ...callInState(call, "completed"), output: nothing }, output: nothing },
  },
  Failed: badPattern,
  Streaming: { args: { part: callInState(call, "streaming"), output: undefined } },
});

export const TestFound: Story = {
  name: "(Test) Opens to the lines by file, with their numbers",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Search files TIDE in src \*\.ts/ }));
    await expect(canvas.getByText("3 lines in 2 files")).toBeVisible();
    await expect(canvas.getByRole("group", { name: "src/tides/depth.ts" })).toHaveTextContent(
      "3 118const TIDE_HOURS = 12; return hour / TIDE_HOURS;",
    );
    await expect(canvas.getByText("More lines of this file match.")).toBeVisible();
    await expect(canvas.getByText(/Only the first 100/)).toBeVisible();
  },
};

export const TestBadPattern: Story = {
  name: "(Test) A bad pattern shows the words of ripgrep",
  ...badPattern,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Search files/ }));
    await expect(canvas.getByText(/unclosed group/)).toBeVisible();
  },
};

export const TestWrongShape: Story = {
  name: "(Test) An output that was cut is shown as text",
  args: {
    part: { ...callInState(call, "completed"), args: { pattern: 7 }, output: '{"files":[{"pa' },
    output: undefined,
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Search files/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent('{"files"');
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
