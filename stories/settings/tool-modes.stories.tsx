import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ComponentProps } from "react";
import { expect, fn, screen, within } from "storybook/test";
import { ToolModes } from "@/components/settings/tool-modes";
import type { Tool } from "@/contract/tool";
import { showStates } from "../show-states";
import { failed, ready, UNAVAILABLE } from "./fixtures";

const tool = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  source: "builtin",
  input_schema: { type: "object", properties: {} },
  mode: "on",
  offered: true,
  root_only: false,
  read_only: false,
  description: `What ${name} does, in a sentence that the model reads too, so that it may be long.`,
  ...rest,
});
const TOOLS = [
  tool("exec", { mode: "ask", notice: "Commands run in unshare, as bubblewrap does not work." }),
  tool("read_file"),
  tool("web_fetch", { mode: "off", offered: false, reason: "An administrator has turned it off." }),
  tool("web_search", { offered: false, reason: "No search provider is configured." }),
];
const SEARCH = tool("docs_search", { source: "mcp", read_only: true });

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
  "Saving: the new mode is shown, and announced when it is saved": {
    args: { change: { name: "read_file", mode: "off" }, isSaving: true },
    play: async ({ canvas }) => {
      const group = within(canvas.getByRole("radiogroup", { name: "Mode of Read file" }));
      await expect(group.getByRole("radio", { name: "Off" })).toBeChecked();
      await expect(canvas.getAllByRole("status")[0]).toHaveTextContent("");
    },
  },
  "A saved mode is announced": {
    args: { change: { name: "exec", mode: "ask" } },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("status")[0]).toHaveTextContent("Exec: Asks first.");
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

export const TestFilter: Story = {
  name: "(Test) Tools are found by a word, by their area and by their risk",
  args: { tools: ready([...TOOLS, SEARCH, tool("docs_write", { source: "mcp" })]) },
  play: async ({ canvas, userEvent }) => {
    await userEvent.selectOptions(canvas.getByRole("combobox", { name: "Risk" }), "Only reads");
    await expect(canvas.getAllByRole("listitem")).toHaveLength(4);
    await userEvent.selectOptions(canvas.getByRole("combobox", { name: "Area" }), "Web");
    await expect(canvas.getAllByRole("listitem")).toHaveLength(2);
    await userEvent.type(canvas.getByRole("searchbox", { name: "Search" }), "page");
    await expect(canvas.getByRole("listitem")).toHaveTextContent("Reads a page of the web.");
    await userEvent.type(canvas.getByRole("searchbox", { name: "Search" }), " nothing");
    await expect(canvas.getByText(/No tool matches/)).toBeVisible();
  },
};

export const TestAskFirst: Story = {
  name: "(Test) All tools that change something ask first, after a question",
  args: {
    tools: ready([...TOOLS, SEARCH, tool("write_file"), tool("deploy", { source: "recipe" })]),
  },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("button", { name: "Ask first for all that change something" }),
    );
    await expect(args.onSetMode).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole("button", { name: "Ask first" }));
    await expect(args.onSetMode).toHaveBeenCalledTimes(2);
    await expect(args.onSetMode).toHaveBeenCalledWith({ name: "write_file", mode: "ask" });
    await expect(args.onSetMode).toHaveBeenCalledWith({ name: "deploy", mode: "ask" });
  },
};
