import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ModelNameField } from "@/components/models/model-name-field";
import { showStates } from "../show-states";
import { NO_LIST, OPENAI_LIST, SERVER_LIST } from "./model-fixtures";

const meta = {
  component: ModelNameField,
  args: {
    value: undefined,
    onChange: fn(),
    error: undefined,
    hint: "As OpenAI calls it, such as gpt-5-mini.",
    list: undefined,
    isListing: false,
    onList: fn(() => Promise.resolve(true)),
  },
} satisfies Meta<typeof ModelNameField>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Empty: {},
  Typed: { args: { value: "gpt-5-mini" } },
  Listing: { args: { isListing: true } },
  Listed: { args: { list: SERVER_LIST } },
  Known: { args: { list: OPENAI_LIST, value: "gpt-5-mini" } },
  "The server says its context": { args: { list: SERVER_LIST, value: "qwen3" } },
  "Nothing is known of it": { args: { list: SERVER_LIST, value: "llama3.2" } },
  "No list": { args: { list: NO_LIST } },
  Missing: { args: { error: "Enter the provider's name of the model." } },
});

const opened: Story = {
  args: { list: OPENAI_LIST },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "List models" }));
    await expect(await screen.findByRole("listbox", { name: "Models" })).toBeVisible();
  },
};

export const Opened: Story = opened;

export const Narrow: Story = { ...opened, globals: { viewport: { value: "mobile1" } } };

export const TestSearch: Story = {
  name: "(Test) The list is searched, and the field takes what is typed, too",
  args: { list: SERVER_LIST, value: "llama3.2" },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "List models" }));
    const chosen = await screen.findByRole("option", { selected: true });
    await expect(chosen).toHaveTextContent("llama3.2");
    await userEvent.type(screen.getByRole("combobox", { name: "Search models" }), "mist");
    await expect(screen.getAllByRole("option")).toHaveLength(1);
    await userEvent.keyboard("{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith("mistral-small");
    await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
    await userEvent.type(canvas.getByRole("textbox", { name: "Model" }), "x");
    await expect(args.onChange).toHaveBeenLastCalledWith("llama3.2x");
  },
};

export const TestNothing: Story = {
  name: "(Test) Without models nothing opens, and the button keeps the focus",
  args: { list: NO_LIST, onList: fn(() => Promise.resolve(false)) },
  play: async ({ canvas, userEvent }) => {
    const button = canvas.getByRole("button", { name: "List models" });
    await userEvent.click(button);
    await expect(button).toHaveFocus();
    await expect(screen.queryByRole("listbox")).toBeNull();
    await expect(canvas.getByText(/is refusing the API key/)).toBeVisible();
  },
};
