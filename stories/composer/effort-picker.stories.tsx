import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { EffortPicker } from "@/components/composer/effort-picker";
import { showStates } from "../show-states";

const meta = {
  component: EffortPicker,
  args: {
    model: { reasoning_efforts: ["none", "low", "medium", "high"] },
    value: null,
    onChange: fn(),
  },
} satisfies Meta<typeof EffortPicker>;
export default meta;
type Story = StoryObj<typeof meta>;

const chosen: Story = { args: { value: "high" } };

export const States: Story = showStates(meta, {
  Default: {},
  Filled: chosen,
  "The model's own is shown": {
    args: { model: { reasoning_effort: "low" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Thinking: low" })).toBeVisible();
    },
  },
  "The nearest is shown of one that the model does not have": {
    args: { value: "max" },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Thinking: high" })).toBeVisible();
    },
  },
  "A model that does not think has none": {
    args: { model: { reasoning_efforts: [] } },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  Disabled: { args: { value: "high", disabled: true } },
});

export const Open: Story = {
  ...chosen,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Thinking: high" }));
    const items = await screen.findAllByRole("menuitemradio");
    await expect(items.map(({ textContent }) => textContent)).toEqual([
      "As the model does by itself",
      "Off",
      "Low",
      "Medium",
      "High",
    ]);
    await expect(items[4]).toHaveAttribute("aria-checked", "true");
  },
};

export const TestKeyboard: Story = {
  name: "(Test) An effort is chosen and removed with the keyboard, and the focus returns",
  ...chosen,
  play: async ({ args, canvas, userEvent }) => {
    const button = () => canvas.getByRole("button", { name: "Thinking: high" });
    button().focus();
    await userEvent.keyboard("{ArrowDown}");
    const first = await screen.findByRole("menuitemradio", { name: /by itself/ });
    await waitFor(() => expect(first).toHaveFocus());
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith("low");
    await waitFor(() => expect(button()).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await userEvent.click(await screen.findByRole("menuitemradio", { name: /by itself/ }));
    await expect(args.onChange).toHaveBeenLastCalledWith(null);
  },
};
