import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RadioGroup } from "@/components/ui/radio-group";
import { Controlled } from "../schema-form/controlled";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: RadioGroup,
  render: (args) => (
    <Controlled {...args}>{(control) => <RadioGroup {...args} {...control} />}</Controlled>
  ),
  args: {
    label: "State",
    options: [
      { value: "open", label: "Open" },
      { value: "shipped", label: "Shipped" },
      { value: "cancelled", label: "Cancelled" },
    ],
    value: undefined,
    onChange: fn(),
  },
} satisfies Meta<typeof RadioGroup>;
export default meta;
type Story = StoryObj<typeof meta>;

const selected: Story = { args: { value: "shipped" } };
const disabled: Story = { args: { value: "shipped", disabled: true } };

const describedOptions: Story = {
  args: {
    options: [
      { value: "read", label: "Read", hint: "Sees the orders and changes nothing." },
      { value: "write", label: "Write", hint: `Also changes ${"very many ".repeat(20)}orders.` },
    ],
    value: "read",
  },
};

export const States: Story = showStates(meta, {
  Empty: {},
  Filled: selected,
  "A hidden label names the group": {
    args: { labelHidden: true },
    play: async ({ canvas }) => {
      const group = canvas.getByRole("radiogroup", { name: "State" });
      await expect(group).not.toHaveAttribute("aria-describedby");
      await expect(canvas.getByText("State").offsetWidth).toBe(1);
    },
  },
  "With hint": { args: { hint: "As the warehouse sees it." } },
  "With error: the hint and the error describe the group": {
    args: { hint: "As the warehouse sees it.", error: "Is required." },
    play: async ({ canvas }) => {
      const group = canvas.getByRole("radiogroup", { name: "State" });
      await expect(group).toBeInvalid();
      await expect(group).toHaveAccessibleDescription("As the warehouse sees it. Is required.");
      await expect(canvas.getByRole("alert")).toHaveTextContent("Is required.");
    },
  },
  Disabled: disabled,
  "Long options wrap": {
    args: {
      options: [
        { value: "words", label: "It is on its way to the customer and ".repeat(8) },
        { value: "word", label: "x".repeat(300) },
      ],
    },
    play: async ({ canvasElement }) => {
      await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    },
  },
  "Long labels, hints and errors wrap": {
    args: { label: "x".repeat(300), hint: "y".repeat(300), error: "z".repeat(300) },
    play: async ({ canvasElement }) => {
      await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    },
  },
  "Described options": describedOptions,
});

export const TestSelect: Story = {
  name: "(Test) Clicking a label selects its option",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radiogroup", { name: "State" })).toBeVisible();
    for (const radio of canvas.getAllByRole("radio")) await expect(radio).not.toBeChecked();
    await userEvent.click(canvas.getByText("Open"));
    await userEvent.click(canvas.getByText("Cancelled"));
    await expect(args.onChange).toHaveBeenLastCalledWith("cancelled");
    await expect(canvas.getByRole("radio", { name: "Open" })).not.toBeChecked();
    await expect(canvas.getByRole("radio", { name: "Cancelled" })).toBeChecked();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab focuses the selected option, arrow keys select",
  ...selected,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("radio", { name: "Shipped" })).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}");
    await expect(args.onChange).toHaveBeenLastCalledWith("cancelled");
    await expect(canvas.getByRole("radio", { name: "Cancelled" })).toHaveFocus();
  },
};

export const TestDisabled: Story = {
  name: "(Test) A disabled group shows its selection and cannot be changed",
  ...disabled,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radio", { name: "Shipped" })).toBeChecked();
    await userEvent.click(canvas.getByText("Open"));
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

export const TestDescribedOptions: Story = {
  name: "(Test) A hint describes its option, selects it and is not part of its name",
  ...describedOptions,
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    const read = canvas.getByRole("radio", { name: "Read" });
    await expect(read).toHaveAccessibleDescription("Sees the orders and changes nothing.");
    await userEvent.click(canvas.getByText(/^Also changes/));
    await expect(args.onChange).toHaveBeenLastCalledWith("write");
    await expect(canvas.getByRole("radio", { name: "Write" })).toBeChecked();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show up to seven options with one choice; say what follows from each where it is not clear.",
        example: (
          <RadioGroup
            label="Answer with"
            options={[
              { value: "form", label: "Form" },
              { value: "json", label: "JSON" },
            ]}
            value="form"
            onChange={doNothing}
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not select what a person has not chosen, where the answer matters.",
        example: (
          <RadioGroup
            label="May we refund it?"
            options={[
              { value: "yes", label: "Yes" },
              { value: "no", label: "No" },
            ]}
            value="yes"
            onChange={doNothing}
          />
        ),
      },
    ],
  }),
};
