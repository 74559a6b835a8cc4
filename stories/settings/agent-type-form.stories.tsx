import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { createAgentTypeFields } from "@/components/settings/agent-types-settings";
import { DeclaredForm } from "@/components/settings/declared-list";
import type { AgentType } from "@/contract/agent-type";
import { showStates } from "../show-states";
import { EXPLORE } from "./agent-type-fixtures";
import { DEEP, failed, invalid, MODELS, ready, SWIFT, UNAVAILABLE } from "./fixtures";
import { TOOLS } from "./group-fixtures";

const meta = {
  component: DeclaredForm<AgentType>,
  args: {
    ...createAgentTypeFields({ models: ready(MODELS), onReloadModels: fn() }),
    item: undefined,
    label: "New agent type",
    problemTitle: "The agent type was not saved",
    tools: TOOLS,
    check: ({ name }) =>
      name === "general" ? [{ pointer: "/name", message: "There is one already." }] : [],
    onSubmit: fn(),
    onCancel: fn(),
    isBusy: false,
    problem: undefined,
  },
} satisfies Meta<typeof DeclaredForm<AgentType>>;
export default meta;
type Story = StoryObj<typeof meta>;

const change: Story = { args: { item: EXPLORE } };

export const States: Story = showStates(meta, {
  New: {},
  Change: change,
  Saving: { args: { item: EXPLORE, isBusy: true } },
  Failed: { args: { item: EXPLORE, problem: UNAVAILABLE } },
  "No models": {
    args: { item: EXPLORE, ...createAgentTypeFields({ models: failed, onReloadModels: fn() }) },
  },
  "With error, at the tools": {
    args: {
      item: EXPLORE,
      problem: invalid("/agent_types/1/tools/1", 'names no tool: "lint"'),
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Tools" })).toHaveTextContent(
        /names no tool/i,
      );
    },
  },
  "With error, at the model": {
    args: { item: EXPLORE, problem: invalid("/agent_types/1/model_id", "names no model") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("combobox", { name: "Model" })).toBeInvalid();
    },
  },
  "Failed: an error of the whole list is its text": {
    args: { problem: invalid("/agent_types", "must be at most 20 agent types") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent(/at most 20 agent types/);
    },
  },
});

export const Narrow: Story = { ...change, globals: { viewport: { value: "mobile1" } } };

export const TestNew: Story = {
  name: "(Test) A new type has all tools and nothing of its own, with the keyboard only",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveFocus();
    await userEvent.keyboard("general{Enter}");
    await expect(canvas.getByRole("textbox", { name: "Name" })).toBeInvalid();
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.keyboard("_2{Tab}Does a part");
    await userEvent.tab();
    await expect(canvas.getByRole("switch", { name: "All tools" })).toHaveFocus();
    await userEvent.tab();
    await userEvent.keyboard(" ");
    await userEvent.tab();
    await userEvent.keyboard("Be brief.");
    await userEvent.tab();
    await expect(canvas.getByRole("combobox", { name: "Model" })).toHaveFocus();
    await userEvent.tab();
    await userEvent.keyboard("30{Enter}");
    await expect(args.onSubmit).toHaveBeenCalledWith({
      name: "general_2",
      description: "Does a part",
      prompt: "Be brief.",
      tools: null,
      model_id: null,
      max_steps: 30,
      inherit_dynamic_tools: true,
    });
  },
};

export const TestTools: Story = {
  name: "(Test) Tools are chosen when it has not all, and a model is chosen by its name",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "review");
    await expect(canvas.queryByRole("group", { name: "Tools" })).toBeNull();
    await userEvent.click(canvas.getByRole("switch", { name: "All tools" }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "read_file" }));
    await userEvent.selectOptions(canvas.getByRole("combobox", { name: "Model" }), "Swift");
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith(
      expect.objectContaining({ tools: ["read_file"], model_id: SWIFT.id, max_steps: null }),
    );
    await userEvent.click(canvas.getByRole("switch", { name: "All tools" }));
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith(expect.objectContaining({ tools: null }));
  },
};

export const TestUnchanged: Story = {
  ...change,
  name: "(Test) What is not changed is saved as it was, also a tool and a model that are gone",
  args: {
    item: EXPLORE,
    ...createAgentTypeFields({ models: ready([SWIFT]), onReloadModels: fn() }),
  },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("combobox", { name: "Model" })).toHaveValue(DEEP.id);
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenCalledWith(EXPLORE);
  },
};

export const TestSteps: Story = {
  ...change,
  name: "(Test) A limit of steps is a whole number from 1 to 1,000",
  play: async ({ args, canvas, userEvent }) => {
    const steps = canvas.getByRole("textbox", { name: "Steps per turn" });
    for (const text of ["0", "-1", "1.5", "1001", "many"]) {
      await userEvent.clear(steps);
      await userEvent.type(steps, `${text}{Enter}`);
      await expect(steps).toBeInvalid();
      await expect(steps).toHaveFocus();
    }
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.clear(steps);
    await userEvent.type(steps, "1000{Enter}");
    await expect(args.onSubmit).toHaveBeenCalledWith({ ...EXPLORE, max_steps: 1_000 });
  },
};
