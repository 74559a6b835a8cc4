import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { CONTROL_CLASS, Field } from "@/components/ui/field";
import { toFieldAria } from "@/components/ui/field-notes";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: Field,
  args: { id: "amount", label: "Amount", children: null },
  render: (args) => (
    <Field {...args}>
      <input type="range" id={args.id} {...toFieldAria(args.id, args)} />
    </Field>
  ),
} satisfies Meta<typeof Field>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Label only": {},
  "A hidden label takes no space and still names the control": {
    args: { labelHidden: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("slider", { name: "Amount" })).toBeVisible();
      await expect(canvas.getByText("Amount").offsetWidth).toBe(1);
    },
  },
  "With hint": { args: { hint: "In whole euros." } },
  "With error: the hint and the error are not part of the name": {
    args: { hint: "In whole euros.", error: "Must be 5 or more." },
    play: async ({ canvas }) => {
      const amount = canvas.getByRole("slider", { name: "Amount" });
      await expect(amount).toBeInvalid();
      await expect(amount).toHaveAccessibleDescription("In whole euros. Must be 5 or more.");
      await expect(canvas.getByRole("alert")).toHaveTextContent("Must be 5 or more.");
    },
  },
});

export const TestLabel: Story = {
  name: "(Test) The label names the control and focuses it on click",
  play: async ({ canvas, userEvent }) => {
    const amount = canvas.getByRole("slider", { name: "Amount" });
    await expect(amount).not.toHaveAccessibleDescription();
    await userEvent.click(canvas.getByText("Amount"));
    await expect(amount).toHaveFocus();
  },
};

/** Long texts and words do not overflow the page. */
export const LongTexts: Story = {
  args: {
    label: `${"The amount that is to be paid back ".repeat(6)}${"x".repeat(300)}`,
    hint: `${"In whole euros, without cents. ".repeat(6)}${"x".repeat(300)}`,
    error: "Must be 5 or more. ".repeat(6),
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
        text: "Label each control above it, and put what is typed wrongly below it.",
        example: (
          <Field
            id="rules-field"
            label="Base URL"
            error="Enter an address such as http://127.0.0.1:11434/v1."
          >
            <input id="rules-field" className={CONTROL_CLASS} defaultValue="127.0.0.1" />
          </Field>
        ),
      },
    ],
    donts: [
      {
        text: "Do not use a placeholder as the label: it is gone with the first letter.",
        example: <input aria-label="Base URL" placeholder="Base URL" className={CONTROL_CLASS} />,
      },
    ],
  }),
};
