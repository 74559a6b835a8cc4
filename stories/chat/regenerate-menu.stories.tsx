import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { RegenerateMenu } from "@/components/chat/regenerate-menu";
import type { Model } from "@/contract/model";
import { showStates } from "../show-states";
import { id } from "./fixtures";

const model = (n: number, name: string, fields: Partial<Model> = {}): Model => ({
  id: id(n),
  provider: "anthropic",
  model: name.toLowerCase(),
  name,
  context_limit: 200_000,
  enabled: true,
  is_default: n === 1,
  tool_protocol: "native",
  reasoning_efforts: ["none", "low", "high"],
  ...fields,
});
const models = [model(1, "Large"), model(2, "Small"), model(3, "Former", { enabled: false })];

const meta = {
  component: RegenerateMenu,
  args: { models, modelId: null, onRegenerate: fn() },
} satisfies Meta<typeof RegenerateMenu>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Default: {},
  "Disabled: the models are not loaded": { args: { models: [] } },
});

export const Open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Regenerate with…" }));
    const items = await screen.findAllByRole("menuitem");
    await expect(items.map(({ textContent }) => textContent)).toEqual([
      "Small",
      "Off",
      "Low",
      "High",
    ]);
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Another model or thinking is chosen by keyboard",
  play: async ({ args, canvas, userEvent }) => {
    const button = () => canvas.getByRole("button", { name: "Regenerate with…" });
    button().focus();
    await userEvent.keyboard("{ArrowDown}");
    const first = await screen.findByRole("menuitem", { name: "Small" });
    await waitFor(() => expect(first).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await expect(args.onRegenerate).toHaveBeenLastCalledWith({ model_id: id(2) });
    await waitFor(() => expect(button()).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await userEvent.click(await screen.findByRole("menuitem", { name: "High" }));
    await expect(args.onRegenerate).toHaveBeenLastCalledWith({ reasoning_effort: "high" });
  },
};

export const TestNothing: Story = {
  name: "(Test) A single model that does not think offers nothing, and says so",
  args: { models: [model(1, "Large", { reasoning_efforts: [] })] },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Regenerate with…" }));
    const item = await screen.findByRole("menuitem", { name: /^No other model/ });
    await expect(item).toHaveAttribute("aria-disabled", "true");
  },
};
