import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import type { Model } from "@/contract/model";
import { ModelPicker } from "@/components/composer/model-picker";
import { showStates } from "../show-states";

const model = (id: string, provider: Model["provider"], rest: Partial<Model> = {}): Model => ({
  id,
  provider,
  model: id,
  name: id,
  context_limit: 200_000,
  tool_protocol: "native",
  enabled: true,
  is_default: false,
  ...rest,
});
const small = model("small", "openai", { name: "Small", is_default: true });
const large = model("large", "openai", { name: "Large" });
const other = model("other", "anthropic", { name: "Other" });
const unknown = model("unknown", "openai-compatible");

const meta = {
  component: ModelPicker,
  args: { models: [small, large], value: "small", onChange: fn() },
} satisfies Meta<typeof ModelPicker>;
export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];

const severalProviders: Story = {
  args: {
    models: [
      { ...small, abilities: ["tools", "images"], prices: { input: 0, output: 0 } },
      { ...large, abilities: ["tools"], tool_protocol: "xml", context_limit: 40_960 },
      { ...other, prices: { input: 3_000_000, output: 15_000_000 } },
      { ...unknown, enabled: false },
    ],
  },
};

const picker = (canvas: Canvas) => canvas.getByRole("combobox", { name: "Model" });

export const States: Story = showStates(meta, {
  "One provider": {},
  "The default model is shown without a selection": {
    args: { value: null },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toHaveTextContent("Small");
    },
  },
  "An unavailable model is shown": {
    args: { models: [small, { ...large, enabled: false }], value: "large" },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toHaveTextContent("Large (no longer offered)");
    },
  },
  "Long name": {
    args: { models: [{ ...small, name: "A model with a long name ".repeat(6) }] },
  },
  Empty: {
    args: { models: [], value: null },
    play: async ({ canvas }) => {
      await expect(picker(canvas)).toHaveTextContent("No models");
      await expect(picker(canvas)).toBeDisabled();
    },
  },
  Disabled: { args: { disabled: true } },
});

export const Open: Story = {
  ...severalProviders,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(picker(canvas));
    const options = await screen.findAllByRole("option");
    await expect(options.map(({ textContent }) => textContent)).toEqual([
      "SmallOpenAI · 200K tokens of context · calls tools · reads images · freeDefault",
      "LargeOpenAI · 41K tokens of context · calls tools as text",
      "OtherAnthropic · 200K tokens of context · $3.00 in, $15.00 out per million tokens",
    ]);
    await expect(options[0]).toHaveAttribute("aria-selected", "true");
    await waitFor(() =>
      expect(screen.getByRole("combobox", { name: "Search models" })).toHaveFocus(),
    );
  },
};

export const NothingFound: Story = {
  ...severalProviders,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(picker(canvas));
    const search = await screen.findByRole("combobox", { name: "Search models" });
    await userEvent.type(search, "nothing");
    await expect(screen.getByText("No model fits.")).toBeVisible();
    await expect(screen.queryByRole("option")).toBeNull();
  },
};

export const TestPick: Story = {
  ...severalProviders,
  name: "(Test) A model is found by its provider or its abilities, and selected with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    picker(canvas).focus();
    await userEvent.keyboard("{ArrowDown}");
    const search = await screen.findByRole("combobox", { name: "Search models" });
    await waitFor(() => expect(search).toHaveFocus());
    await userEvent.keyboard("images");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
    await userEvent.clear(search);
    await userEvent.keyboard("anthropic oth");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
    await userEvent.keyboard("{Enter}");
    await expect(args.onChange).toHaveBeenCalledWith("other");
    await waitFor(() => expect(search).not.toBeInTheDocument());
    await waitFor(() => expect(picker(canvas)).toHaveFocus());
  },
};

export const TestClick: Story = {
  ...severalProviders,
  name: "(Test) A click selects a model, and Escape selects none",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(picker(canvas));
    await screen.findByRole("option", { name: /^Other/ });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
    await expect(args.onChange).not.toHaveBeenCalled();
    await userEvent.click(picker(canvas));
    await userEvent.click(await screen.findByRole("option", { name: /^Large/ }));
    await expect(args.onChange).toHaveBeenCalledWith("large");
  },
};
