import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ListDirectoryCard } from "@/components/tool-cards/cards/list-directory-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "list_directory",
  kind: "builtin" as const,
  args: { path: "src" },
  args_text: '{"path":"sr',
  output:
    "components/\nindex.ts (812 bytes)\nlatest (link)\nREADME.md (2150 bytes)\n\n(Entries 1 to 4 of 900; go on with offset 5.)",
};

const meta = {
  component: ListDirectoryCard,
  args: { part: callInState(call, "completed"), output: call.output, now: NOW },
} satisfies Meta<typeof ListDirectoryCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  /** Without a path the workspace itself is listed. */
  "The line names the workspace itself, too": {
    args: { part: { ...callInState(call, "completed"), args: {} } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /^List directory \. / })).toBeVisible();
    },
  },
});

export const TestOpen: Story = {
  name: "(Test) Opens to the entries with their sizes",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /List directory/ }));
    const entries = canvas.getAllByRole("listitem").map(({ textContent }) => textContent);
    await expect(entries).toEqual(["components/", "index.ts812 B", "latest", "README.md2.1 KB"]);
    await expect(canvas.getByText("Entries 1 to 4 of 900")).toBeVisible();
  },
};

export const TestSentence: Story = {
  name: "(Test) What is no list of entries is shown as it is",
  args: {
    part: { ...callInState(call, "completed"), output: "The directory is empty." },
    output: "The directory is empty.",
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /List directory/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      "The directory is empty.",
    );
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
