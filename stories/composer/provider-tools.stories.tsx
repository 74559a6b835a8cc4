import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import ProviderTools from "@/components/composer/provider-tools";
import { showStates } from "../show-states";

const meta = {
  component: ProviderTools,
  args: {
    provider: "openai",
    tools: ["web_search", "code_execution", "file_search"],
    value: null,
    onChange: fn(),
  },
} satisfies Meta<typeof ProviderTools>;
export default meta;
type Story = StoryObj<typeof meta>;

const chosen: Story = { args: { value: ["web_search"] } };

export const States: Story = showStates(meta, {
  "On: all of the model's": {
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("button", { name: "Tools of the provider: 3 of 3" }),
      ).toBeVisible();
    },
  },
  "On: one": {
    ...chosen,
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("button", { name: "Tools of the provider: web search" }),
      ).toBeVisible();
    },
  },
  Off: { args: { value: [] } },
  Disabled: { args: { ...chosen.args, disabled: true } },
});

export const Open: Story = {
  ...chosen,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("button", { name: "Tools of the provider: web search" }),
    );
    const items = await screen.findAllByRole("menuitemcheckbox");
    await expect(items.map(({ textContent }) => textContent)).toEqual([
      "Web search",
      "Code execution",
      "File search",
    ]);
    await expect(items[0]).toHaveAttribute("aria-checked", "true");
    await expect(screen.getByText("Run by OpenAI")).toBeVisible();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tools are switched with the keyboard, and all of them are no choice",
  args: { value: ["code_execution", "file_search"] },
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Tools of the provider: 2 of 3" }).focus();
    await userEvent.keyboard("{ArrowDown}");
    const first = await screen.findByRole("menuitemcheckbox", { name: "Web search" });
    await waitFor(() => expect(first).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith(null);
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith(["file_search"]);
  },
};
