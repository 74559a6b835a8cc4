import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ListDirectoryCard } from "@/components/tool-cards/list-directory-card";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "list_directory",
  kind: "builtin" as const,
  args: { path: "src" },
  args_text: '{"path":"sr',
  output: "components/\nindex.ts  812 B\nREADME.md  2.1 KB",
};

const meta = {
  component: ListDirectoryCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof ListDirectoryCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Directory: Story = {};
/** Without a path the workspace itself is listed. */
export const Workspace: Story = { args: { part: { ...callInState(call, "completed"), args: {} } } };

export const TestOpen: Story = {
  name: "(Test) Opens to the listing",
  ...Directory,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /List directory/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      "README.md 2.1 KB",
    );
  },
};

export const TestWorkspace: Story = {
  name: "(Test) The line names the workspace itself, too",
  ...Workspace,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: /^List directory \. / })).toBeVisible();
  },
};
