import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { toFieldAria } from "@/components/ui/field-notes";
import { ToggleText } from "@/components/ui/toggle-text";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: ToggleText,
  args: { id: "advisor", label: "Offer the advisor" },
  render: (args) => (
    <div className="flex items-start gap-2">
      <input type="checkbox" id={args.id} {...toFieldAria(args.id, args)} />
      <ToggleText {...args} />
    </div>
  ),
} satisfies Meta<typeof ToggleText>;
export default meta;
type Story = StoryObj<typeof meta>;

const withHint: Story = { args: { hint: "Agents may ask it before they act." } };

export const States: Story = showStates(meta, {
  "Label only": {},
  "With hint": withHint,
  "With error: the hint and the error describe the control": {
    args: { hint: "Agents may ask it before they act.", error: "Choose its model first." },
    play: async ({ canvas }) => {
      const control = canvas.getByRole("checkbox", { name: "Offer the advisor" });
      await expect(control).toHaveAccessibleDescription(
        "Agents may ask it before they act. Choose its model first.",
      );
      await expect(canvas.getByRole("alert")).toHaveTextContent("Choose its model first.");
    },
  },
});

export const TestLabel: Story = {
  name: "(Test) The label names and toggles the control, the hint does not",
  ...withHint,
  play: async ({ canvas, userEvent }) => {
    const control = canvas.getByRole("checkbox", { name: "Offer the advisor" });
    await userEvent.click(canvas.getByText("Offer the advisor"));
    await expect(control).toBeChecked();
    await userEvent.click(canvas.getByText("Agents may ask it before they act."));
    await expect(control).toBeChecked();
  },
};

/** Long texts and words do not overflow the page. */
export const LongTexts: Story = {
  args: {
    label: `${"Offer the advisor in every chat ".repeat(6)}${"x".repeat(300)}`,
    hint: `${"Agents may ask it before they act. ".repeat(6)}${"x".repeat(300)}`,
    error: "Choose its model first. ".repeat(6),
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Leave it to Checkbox and Switch, which connect it to their control.",
        example: (
          <ToggleText
            id="rules-toggle"
            label="Offer the advisor"
            hint="Agents may ask it before they act."
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not say in the hint what the label says.",
        example: (
          <ToggleText id="rules-toggle-2" label="Offer the advisor" hint="Offers the advisor." />
        ),
      },
    ],
  }),
};
