import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
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

const meta = {
  component: ModelPicker,
  args: { models: [small, large], value: "small", onChange: fn() },
} satisfies Meta<typeof ModelPicker>;
export default meta;
type Story = StoryObj<typeof meta>;

const severalProviders: Story = { args: { models: [small, large, other] } };

export const States: Story = showStates(meta, {
  "One provider": {},
  "Several providers": severalProviders,
  "The default model is shown without a selection": {
    args: { value: null },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("combobox", { name: "Model" })).toHaveDisplayValue("Small");
    },
  },
  "An unavailable model is shown and cannot be selected": {
    args: { models: [small, { ...large, enabled: false }], value: "large" },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("combobox", { name: "Model" })).toHaveDisplayValue(
        "Large (no longer offered)",
      );
      await expect(canvas.getByRole("option", { name: /no longer offered/ })).toBeDisabled();
    },
  },
  "No models": { args: { models: [], value: null } },
  Disabled: { args: { disabled: true } },
});

export const TestPick: Story = {
  ...severalProviders,
  name: "(Test) Selecting a model returns its id",
  play: async ({ args, canvas, userEvent }) => {
    const picker = canvas.getByRole("combobox", { name: "Model" });
    await userEvent.selectOptions(picker, "Other");
    await expect(args.onChange).toHaveBeenCalledWith("other");
  },
};
