import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { DeclaredForm } from "@/components/settings/declared-list";
import { GROUP_FIELDS } from "@/components/settings/groups-settings";
import type { Group } from "@/contract/group";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "./fixtures";
import { REVIEW, TOOLS } from "./group-fixtures";

const meta = {
  component: DeclaredForm<Group>,
  args: {
    ...GROUP_FIELDS,
    item: undefined,
    label: "New group",
    problemTitle: "The group was not saved",
    tools: TOOLS,
    check: ({ name }) =>
      name === "plan" ? [{ pointer: "/name", message: "There is one already." }] : [],
    onSubmit: fn(),
    onCancel: fn(),
    isBusy: false,
    problem: undefined,
  },
} satisfies Meta<typeof DeclaredForm<Group>>;
export default meta;
type Story = StoryObj<typeof meta>;

const change: Story = { args: { item: REVIEW } };
const refusedTool: Story = {
  args: {
    item: REVIEW,
    problem: invalid("/groups/0/tools/1", 'names no tool: "lint"'),
  },
};

export const States: Story = showStates(meta, {
  New: {},
  Change: change,
  Saving: { args: { item: REVIEW, isBusy: true } },
  Failed: { args: { item: REVIEW, problem: UNAVAILABLE } },
  "With error, at the tools": {
    ...refusedTool,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Tools" })).toHaveTextContent(
        /names no tool/i,
      );
    },
  },
});

export const TestNew: Story = {
  name: "(Test) A group has the tools that are checked, and a name of its own",
  play: async ({ args, canvas, userEvent }) => {
    const name = canvas.getByRole("textbox", { name: "Name" });
    await userEvent.type(name, "plan");
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(name).toBeInvalid();
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.type(name, "ner");
    await userEvent.click(canvas.getByRole("checkbox", { name: "todo_write" }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "exec" }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "todo_write" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "Instructions" }), "Plan first.");
    await userEvent.click(canvas.getByRole("checkbox", { name: /server's own/ }));
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "planner",
      description: "",
      tools: ["exec"],
      dynamic_tools: [],
      prompt: "Plan first.",
      include_default_prompt: false,
    });
  },
};

export const TestMissing: Story = {
  ...change,
  name: "(Test) A tool that has vanished is shown, and stays until it is removed",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith(REVIEW);
    await userEvent.click(canvas.getByRole("checkbox", { name: "lint" }));
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith({ ...REVIEW, tools: ["read_file"] });
  },
};

export const TestFocus: Story = {
  ...refusedTool,
  name: "(Test) A field keeps the focus while another one is refused",
  play: async ({ canvas, userEvent }) => {
    const instructions = canvas.getByRole("textbox", { name: "Instructions" });
    await userEvent.type(instructions, " Twice");
    await expect(instructions).toHaveFocus();
    await expect(instructions).toHaveValue(`${REVIEW.prompt} Twice`);
  },
};
