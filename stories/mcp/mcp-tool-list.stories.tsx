import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import { McpToolList } from "@/components/mcp/mcp-tool-list";
import { showStates } from "../show-states";
import { CROWDED, GITHUB } from "./mcp-fixtures";

const meta = {
  component: McpToolList,
  args: { server: GITHUB, modes: { github_merge: "ask" }, onSetMode: fn() },
} satisfies Meta<typeof McpToolList>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Closed: {},
  Many: { args: { server: CROWDED } },
});

export const Open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "2 tools" }));
    await expect(canvas.getByRole("list", { name: "Tools of github" })).toBeVisible();
  },
};

export const TestSwitch: Story = {
  name: "(Test) A tool is switched off by the name that models have for it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "2 tools" }));
    const mode = canvas.getByRole("radiogroup", { name: "Mode of search" });
    await userEvent.click(within(mode).getByRole("radio", { name: "Off" }));
    await expect(args.onSetMode).toHaveBeenCalledWith({ name: "github_search", mode: "off" });
  },
};
