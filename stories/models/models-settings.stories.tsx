import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { ModelsSettings } from "@/components/models/models-settings";
import { showStates } from "../show-states";
import { failed, invalid, ready, UNAVAILABLE } from "../settings/fixtures";
import { ALL_MODELS, DEMO, LOCAL, OPENAI, OPENAI_LIST } from "./model-fixtures";

const meta = {
  component: ModelsSettings,
  args: {
    items: ready(ALL_MODELS),
    onReload: fn(),
    onCreate: fn(),
    onUpdate: fn(),
    onDiscover: fn(() => Promise.resolve(OPENAI_LIST)),
    isSaving: false,
    saveProblem: undefined,
    onCloseForm: fn(),
    onChange: fn(),
    onDelete: fn(),
    changeProblem: undefined,
    onTry: fn(),
    trials: {},
  },
} satisfies Meta<typeof ModelsSettings>;
export default meta;
type Story = StoryObj<typeof meta>;
type Play = NonNullable<Story["play"]>;

const openForm: Play = async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Add model" }));
  await screen.findByRole("form");
};

export const LoadError: Story = {
  args: { items: failed },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onReload).toHaveBeenCalledOnce();
  },
};

export const FormOpen: Story = { play: openForm };

export const Saving: Story = { args: { isSaving: true }, play: openForm };

export const SaveError: Story = {
  args: {
    saveProblem: invalid("/base_url", "must be an address such as http://127.0.0.1:11434/v1"),
  },
  play: async (context) => {
    await openForm(context);
    await expect(screen.getByText("The model was not saved")).toBeVisible();
    await expect(screen.getByRole("textbox", { name: "Base URL" })).toBeInvalid();
  },
};

const tested: Story = {
  args: {
    trials: {
      [OPENAI.id]: { result: { ok: true, message: "GPT-5 mini answers.", duration_ms: 840 } },
      [LOCAL.id]: {
        result: {
          ok: false,
          message: "The OpenAI-compatible server is not reachable.",
          detail: "Cannot connect to API: connect ECONNREFUSED",
          duration_ms: 12,
        },
      },
      [DEMO.id]: { result: undefined },
    },
  },
};

export const States: Story = showStates(meta, {
  Many: {
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("listitem")).toHaveLength(ALL_MODELS.length);
      await expect(canvas.getByText("Key and address from ANTHROPIC_API_KEY")).toBeVisible();
    },
  },
  One: { args: { items: ready([DEMO]) } },
  Loading: { args: { items: { state: "loading" } } },
  "Change error": { args: { changeProblem: UNAVAILABLE } },
  "Test passed, and one failed": tested,
  "It is stated that new chats use a model that fails its test": {
    args: {
      items: ready([
        { ...LOCAL, is_default: true },
        { ...OPENAI, is_default: false },
      ]),
      trials: Object.fromEntries(
        [LOCAL, OPENAI].map(({ id }) => [
          id,
          { result: { ok: false, message: "The key is refused.", duration_ms: 12 } },
        ]),
      ),
    },
    play: async ({ canvas }) => {
      const [local, openai] = canvas.getAllByRole("listitem");
      await expect(local).toHaveTextContent("New chats use this model.");
      await expect(openai).not.toHaveTextContent("New chats use this model.");
    },
  },
  "It is stated that a model that fails its test has not become the default": {
    args: {
      items: ready([LOCAL, OPENAI]),
      trials: {
        [LOCAL.id]: {
          result: { ok: false, message: "The key is refused.", duration_ms: 12 },
          makesDefault: true,
        },
      },
    },
    play: async ({ canvas }) => {
      const [local] = canvas.getAllByRole("listitem");
      await expect(local).toHaveTextContent("It has not become the default model.");
    },
  },
});

export const Narrow: Story = {
  ...tested,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestAdd: Story = {
  name: "(Test) A new model is sent with what was entered, and nothing else",
  play: async (context) => {
    const { args, userEvent } = context;
    await openForm(context);
    await userEvent.selectOptions(
      screen.getByRole("combobox", { name: "Provider" }),
      "OpenAI-compatible",
    );
    await userEvent.type(screen.getByRole("textbox", { name: "Model" }), " llama3.2 ");
    await userEvent.type(
      screen.getByRole("textbox", { name: "Base URL" }),
      "http://127.0.0.1:11434/v1",
    );
    await userEvent.click(screen.getByText("Context and prices"));
    await userEvent.type(
      screen.getByRole("textbox", { name: "Dollars per million tokens read" }),
      "0.5",
    );
    await userEvent.click(screen.getByRole("button", { name: "Save and test" }));
    await expect(screen.getByText("Enter both prices, or none.")).toBeVisible();
    await expect(args.onCreate).not.toHaveBeenCalled();
    await userEvent.type(
      screen.getByRole("textbox", { name: "Dollars per million tokens written" }),
      "2",
    );
    await userEvent.click(screen.getByRole("button", { name: "Save and test" }));
    await expect(args.onCreate).toHaveBeenCalledWith(
      {
        provider: "openai-compatible",
        model: "llama3.2",
        enabled: true,
        is_default: true,
        base_url: "http://127.0.0.1:11434/v1",
        prices: { input: 500_000, output: 2_000_000 },
      },
      expect.any(Function),
    );
  },
};

export const TestIncomplete: Story = {
  name: "(Test) A model without what it needs is not sent",
  play: async (context) => {
    const { args, userEvent } = context;
    await openForm(context);
    await userEvent.selectOptions(
      screen.getByRole("combobox", { name: "Provider" }),
      "OpenAI-compatible",
    );
    await userEvent.click(screen.getByRole("button", { name: "Save and test" }));
    await expect(screen.getByRole("textbox", { name: "Model" })).toBeInvalid();
    await expect(screen.getByRole("textbox", { name: "Base URL" })).toBeInvalid();
    await expect(args.onCreate).not.toHaveBeenCalled();
  },
};

export const TestEdit: Story = {
  name: "(Test) An edit sends what was changed, and keeps the key",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit GPT-5 mini" }));
    await screen.findByRole("form");
    await expect(screen.getByText(/Leave this empty to keep it/)).toBeVisible();
    const name = screen.getByRole("textbox", { name: "Name" });
    await userEvent.clear(name);
    await userEvent.type(name, "Fast");
    await userEvent.click(screen.getByRole("button", { name: "Save and test" }));
    await expect(args.onUpdate).toHaveBeenCalledWith(
      { model_id: OPENAI.id, name: "Fast" },
      expect.any(Function),
    );
  },
};

export const TestEnvironment: Story = {
  name: "(Test) Key and address of the environment cannot be entered",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit Claude Sonnet 4.5" }));
    await screen.findByRole("form");
    await expect(screen.getByText(/come from the environment/)).toBeVisible();
    await expect(screen.queryByLabelText("API key")).toBeNull();
    await expect(screen.queryByRole("textbox", { name: "Model" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await userEvent.click(await canvas.findByRole("button", { name: "More for Demo" }));
    await expect(await screen.findByRole("menuitem", { name: "Delete" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  },
};

export const TestActions: Story = {
  name: "(Test) A row is tested, made the default, disabled and deleted",
  play: async ({ args, canvas, userEvent }) => {
    const choose = async (item: string): Promise<void> => {
      await userEvent.click(canvas.getByRole("button", { name: "More for Llama at home" }));
      await userEvent.click(await screen.findByRole("menuitem", { name: item }));
    };
    await userEvent.click(canvas.getByRole("button", { name: "Test Llama at home" }));
    await expect(args.onTry).toHaveBeenCalledWith(LOCAL.id);
    await choose("Make default");
    await expect(args.onChange).toHaveBeenCalledWith({ model_id: LOCAL.id, is_default: true });
    await choose("Disable");
    await expect(args.onChange).toHaveBeenCalledWith({ model_id: LOCAL.id, enabled: false });
    await choose("Delete");
    await userEvent.click(await screen.findByRole("button", { name: "Delete model" }));
    await expect(args.onDelete).toHaveBeenCalledWith(LOCAL.id);
  },
};
