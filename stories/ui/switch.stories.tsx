import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Switch } from "@/components/ui/switch";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: Switch,
  args: { label: "Offer the advisor", hint: "Agents may ask it before they act." },
} satisfies Meta<typeof Switch>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Off: {},
  On: { args: { defaultChecked: true } },
  "With error: the hint and the error describe the switch": {
    args: { error: "Choose its model first." },
    play: async ({ canvas }) => {
      const control = canvas.getByRole("switch", { name: "Offer the advisor" });
      await expect(control).toBeInvalid();
      await expect(control).toHaveAccessibleDescription(
        "Agents may ask it before they act. Choose its model first.",
      );
    },
  },
  Disabled: { args: { disabled: true } },
});

export const TestKeyboard: Story = {
  name: "(Test) The label and the space bar toggle the switch",
  play: async ({ canvas, userEvent }) => {
    const control = canvas.getByRole("switch", { name: "Offer the advisor" });
    await expect(control).toHaveAccessibleDescription("Agents may ask it before they act.");
    await userEvent.click(canvas.getByText("Offer the advisor"));
    await expect(control).toBeChecked();
    await userEvent.keyboard(" ");
    await expect(control).not.toBeChecked();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Use it for what takes effect at once; name the thing, not the state.",
        example: <Switch label="Notifications" defaultChecked />,
      },
    ],
    donts: [
      {
        text: "Do not put the state into the label: it is wrong half of the time.",
        example: <Switch label="Notifications are off" />,
      },
    ],
  }),
};
