import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Controlled } from "../schema-form/controlled";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: SegmentedControl,
  render: (args) => (
    <Controlled {...args}>{(control) => <SegmentedControl {...args} {...control} />}</Controlled>
  ),
  args: {
    label: "Answer with",
    options: [
      { value: "form", label: "Form" },
      { value: "json", label: "JSON" },
      { value: "error", label: "Error", name: "Answer with an error" },
    ],
    value: "form",
    onChange: fn(),
    disabled: false,
  },
} satisfies Meta<typeof SegmentedControl>;
export default meta;
type Story = StoryObj<typeof meta>;

const lastSelected: Story = { args: { value: "error" } };
const disabled: Story = { args: { disabled: true } };

export const States: Story = showStates(meta, {
  Filled: {},
  "An option can have a longer accessible name": {
    ...lastSelected,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("radio", { name: "Answer with an error" })).toBeChecked();
      await expect(canvas.getByText("Error")).toBeVisible();
    },
  },
  Disabled: disabled,
});

export const TestSelect: Story = {
  name: "(Test) Clicking an option selects it",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radiogroup", { name: "Answer with" })).toBeVisible();
    await expect(canvas.getByRole("radio", { name: "Form" })).toBeChecked();
    await userEvent.click(canvas.getByText("JSON"));
    await expect(args.onChange).toHaveBeenCalledOnce();
    await expect(args.onChange).toHaveBeenCalledWith("json");
    await expect(canvas.getByRole("radio", { name: "JSON" })).toBeChecked();
    await expect(canvas.getByRole("radio", { name: "Form" })).not.toBeChecked();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab focuses the selected option, arrow keys wrap around",
  ...lastSelected,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("radio", { name: "Answer with an error" })).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}");
    await expect(canvas.getByRole("radio", { name: "Form" })).toHaveFocus();
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    await expect(canvas.getByRole("radio", { name: "JSON" })).toHaveFocus();
    await expect(args.onChange).toHaveBeenLastCalledWith("json");
    await userEvent.tab();
    await expect(document.body).toHaveFocus();
  },
};

export const TestDisabled: Story = {
  name: "(Test) A disabled control shows its selection and cannot be changed",
  ...disabled,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radio", { name: "Form" })).toBeChecked();
    await expect(getComputedStyle(canvas.getByText("JSON")).cursor).toBe("not-allowed");
    await userEvent.click(canvas.getByText("JSON"));
    await userEvent.tab();
    await expect(document.body).toHaveFocus();
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

/** On a phone the options stay in one row. */
export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    const tops = ["Form", "JSON", "Error"].map(
      (label) => canvas.getByText(label).getBoundingClientRect().top,
    );
    await expect(new Set(tops).size).toBe(1);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Switch between two or three views of one thing, with short nouns.",
        example: (
          <SegmentedControl
            label="View"
            options={[
              { value: "form", label: "Form" },
              { value: "code", label: "Code" },
            ]}
            value="form"
            onChange={doNothing}
            disabled={false}
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not use it for actions, or for on and off.",
        example: (
          <SegmentedControl
            label="Advisor"
            options={[
              { value: "on", label: "On" },
              { value: "off", label: "Off" },
            ]}
            value="on"
            onChange={doNothing}
            disabled={false}
          />
        ),
      },
    ],
  }),
};
