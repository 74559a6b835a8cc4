import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { AgentTypesSettings } from "@/components/settings/agent-types-settings";
import { showStates } from "../show-states";
import { EXPLORE, GENERAL } from "./agent-type-fixtures";
import { failed, MODELS, ready, SWIFT, UNAVAILABLE } from "./fixtures";
import { TOOLS } from "./group-fixtures";

const ALL_TOOLS = [
  { name: "advisor", description: "Asks for advice", root_only: true },
  ...TOOLS.map((tool) => ({ ...tool, root_only: false })),
];

const meta = {
  component: AgentTypesSettings,
  args: {
    list: ready({ agent_types: [GENERAL, EXPLORE], version: 3 }),
    onReload: fn(),
    tools: ready(ALL_TOOLS),
    onReloadTools: fn(),
    models: ready(MODELS),
    onReloadModels: fn(),
    onSave: fn(),
    isSaving: false,
    saveProblem: undefined,
    onCloseForm: fn(),
    onRemove: fn(),
    changeProblem: undefined,
  },
} satisfies Meta<typeof AgentTypesSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Two: {},
  "The only type cannot be deleted": {
    args: { list: ready({ agent_types: [GENERAL], version: 3 }) },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: /Delete/ })).toBeNull();
      await expect(canvas.getByText("The only type cannot be deleted")).toBeVisible();
    },
  },
  Loading: { args: { list: { state: "loading" } } },
  "Load error": { args: { list: failed } },
  "Change error": { args: { changeProblem: UNAVAILABLE } },
  "The first type is the default one": {
    play: async ({ canvas }) => {
      const marked = canvas
        .getAllByRole("listitem")
        .map((row) => row.innerText.includes("default type"));
      await expect(marked).toEqual([true, false]);
    },
  },
  "A model and a tool that are gone are named in the list": {
    args: { models: ready([SWIFT]) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Model: not available")).toBeVisible();
      await expect(canvas.getByText(/cannot use these tools any more: lint/)).toBeVisible();
    },
  },
});

export const Narrow: Story = { globals: { viewport: { value: "mobile1" } } };

export const TestAdd: Story = {
  name: "(Test) A new type is saved behind the others, without tools of root chats",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add agent type" }));
    await screen.findByRole("form");
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "write");
    await userEvent.click(screen.getByRole("switch", { name: "All tools" }));
    await expect(screen.getByRole("checkbox", { name: "exec" })).toBeVisible();
    await expect(screen.queryByRole("checkbox", { name: "advisor" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const added = { ...GENERAL, name: "write", description: "", tools: [] };
    await expect(args.onSave).toHaveBeenCalledWith(
      { agent_types: [GENERAL, EXPLORE, added], version: 3 },
      expect.any(Function),
    );
  },
};

export const TestChange: Story = {
  name: "(Test) A type that ships is changed in its place, and deleted from among the others",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit general" }));
    await screen.findByRole("form");
    await userEvent.type(screen.getByRole("textbox", { name: "Instructions" }), "Be brief.");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      { agent_types: [{ ...GENERAL, prompt: "Be brief." }, EXPLORE], version: 3 },
      expect.any(Function),
    );
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
    await userEvent.click(await canvas.findByRole("button", { name: "Delete explore" }));
    await userEvent.click(await screen.findByRole("button", { name: "Delete agent type" }));
    await expect(args.onRemove).toHaveBeenCalledWith({ agent_types: [GENERAL], version: 3 });
  },
};
