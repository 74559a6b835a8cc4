import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { SchemaValueField } from "@/components/schema-form/schema-value-field";
import { showStates } from "../show-states";
import { Controlled } from "./controlled";

const meta = {
  component: SchemaValueField,
  args: {
    id: "field",
    schema: { type: "string" },
    value: undefined,
    onChange: fn(),
    errors: [],
    name: "Berth",
    isRequired: false,
    isUnmarked: true,
    disabled: false,
    Field: SchemaValueField,
  },
  render: (args) => (
    <Controlled value={args.value} onChange={args.onChange}>
      {(control) => <SchemaValueField {...args} {...control} />}
    </Controlled>
  ),
} satisfies Meta<typeof SchemaValueField>;
export default meta;
type Story = StoryObj<typeof meta>;

const meanings = {
  enum: ["sea", "river"],
  "x-value-names": ["On the sea", "On a river"],
  "x-value-hints": ["With tides.", "With a current."],
};

export const States: Story = showStates(meta, {
  Text: {},
  Code: { args: { schema: { type: "string", "x-control": "code" } } },
  Lines: { args: { schema: { type: "string", "x-control": "lines" }, value: "One\ntwo" } },
  "Lines of code": { args: { schema: { type: "string", "x-control": "code-lines" } } },
  Number: { args: { schema: { type: "integer" }, value: 12 } },
  Switch: { args: { schema: { type: "boolean", "x-control": "switch" }, value: true } },
  Checkbox: { args: { schema: { type: "boolean", "x-control": "checkbox" } } },
  Dropdown: {
    args: { schema: { ...meanings, "x-control": "select" }, value: "river", isRequired: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("combobox")).toHaveDisplayValue("On a river");
    },
  },
  "A sentence describes each value": {
    args: { schema: meanings, value: "sea", isRequired: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("radio", { name: "On a river" })).toHaveAccessibleDescription(
        "With a current.",
      );
    },
  },
});

export const TestSecret: Story = {
  name: "(Test) A secret is hidden while it is entered",
  args: { schema: { type: "string", format: "password" } },
  play: async ({ args, canvas, userEvent }) => {
    const berth = canvas.getByLabelText("Berth");
    await expect(berth).toHaveAttribute("type", "password");
    await userEvent.type(berth, "k1");
    await expect(args.onChange).toHaveBeenLastCalledWith("k1");
  },
};

export const TestSwitch: Story = {
  name: "(Test) A switch is on or off",
  args: { schema: { type: "boolean", "x-control": "switch" } },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("switch", { name: "Berth" }));
    await expect(args.onChange).toHaveBeenLastCalledWith(true);
    await userEvent.click(canvas.getByRole("switch", { name: "Berth" }));
    await expect(args.onChange).toHaveBeenLastCalledWith(false);
  },
};
