import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ComponentProps } from "react";
import { expect, fn, within } from "storybook/test";
import { ToolModes } from "@/components/settings/tool-modes";
import type { Tool } from "@/contract/tool";
import { showStates } from "../show-states";
import { failed, ready, UNAVAILABLE } from "./fixtures";

const tool = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  source: "builtin",
  mode: "on",
  offered: true,
  root_only: false,
  description: `What ${name} does, in a sentence that the model reads too, so that it may be long.`,
  ...rest,
});
const TOOLS = [
  tool("exec", { mode: "ask", notice: "Commands run in unshare, as bubblewrap does not work." }),
  tool("read_file"),
  tool("web_fetch", { mode: "off", offered: false, reason: "An administrator has turned it off." }),
  tool("web_search", { offered: false, reason: "No search provider is configured." }),
];

const meta = {
  component: ToolModes,
  args: {
    tools: ready(TOOLS),
    onReload: fn(),
    onSetMode: fn(),
    change: undefined,
    isSaving: false,
    problem: undefined,
  },
} satisfies Meta<typeof ToolModes>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "For administrators": {
    play: async ({ canvas }) => {
      const [exec, readFile, webFetch, webSearch] = canvas.getAllByRole("listitem");
      if (!exec || !readFile || !webFetch || !webSearch) throw new Error("a row is missing");
      await expect(within(exec).getByRole("radio", { name: "Ask first" })).toBeChecked();
      await expect(exec).toHaveTextContent("Commands run in unshare, as bubblewrap does not work.");
      await expect(exec).not.toHaveTextContent("Not available");
      await expect(within(readFile).getByRole("radio", { name: "On" })).toBeChecked();
      await expect(within(webFetch).getByRole("radio", { name: "Off" })).toBeChecked();
      await expect(webFetch).not.toHaveTextContent("Not available");
      const badge = within(webSearch).getByText("Not available");
      await expect(getComputedStyle(badge).color).toBe(getComputedStyle(webSearch).color);
      await expect(webSearch).toHaveTextContent("No search provider is configured.");
    },
  },
  Loading: { args: { tools: { state: "loading" } } },
  "Load error": { args: { tools: failed } },
  "Save error": {
    args: { change: { name: "read_file", mode: "off" }, problem: UNAVAILABLE },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("“Read file” was not changed");
    },
  },
  "A mode that is being saved is shown, and announced when it is saved": {
    args: { change: { name: "read_file", mode: "off" }, isSaving: true },
    play: async ({ canvas }) => {
      const group = within(canvas.getByRole("radiogroup", { name: "Mode of Read file" }));
      await expect(group.getByRole("radio", { name: "Off" })).toBeChecked();
      await expect(canvas.getByRole("status")).toHaveTextContent("");
    },
  },
  "A saved mode is announced": {
    args: { change: { name: "exec", mode: "ask" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("Exec: Asks first.");
    },
  },
});

export const ForMembers: Story = {
  render: (args: ComponentProps<typeof ToolModes>) => <ToolModes {...args} onSetMode={undefined} />,
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole("radio")).toBeNull();
    await expect(canvas.getByText("Asks first")).toBeVisible();
  },
};

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async () => {
    await expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  },
};

export const TestKeyboard: Story = {
  name: "(Test) The arrow keys change a mode",
  play: async ({ args, canvas, userEvent }) => {
    const exec = within(canvas.getByRole("radiogroup", { name: "Mode of Exec" }));
    exec.getByRole("radio", { name: "Ask first" }).focus();
    await userEvent.keyboard("{ArrowRight}");
    await expect(args.onSetMode).toHaveBeenCalledWith({ name: "exec", mode: "off" });
  },
};
