import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { JsonArea } from "@/components/playground/json-area";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import { Controlled } from "../schema-form/controlled";
import { showStates } from "../show-states";

const meta = {
  component: JsonArea,
  render: (args) => (
    <Controlled value={args.value} onChange={fn()}>
      {({ value, onChange }) => (
        <JsonArea
          {...args}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            args.onChange(event);
          }}
        />
      )}
    </Controlled>
  ),
  args: {
    label: "Input schema",
    hint: "A JSON Schema of the arguments that the model gives.",
    value: TOOL_EXAMPLES[0].draft.inputSchema,
    onChange: fn(),
  },
} satisfies Meta<typeof JsonArea>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Filled: {},
  Empty: { args: { value: "" } },
  Invalid: {
    args: {
      value: '{\n  "type": "object",\n}',
      error: "Line 3 is not JSON. “}” is unexpected here.",
    },
  },
  "Long lines break at the same places in both layers": {
    args: { value: `{ "description": "${"An answer of the shop manager. ".repeat(20)}" }` },
    play: async ({ canvasElement }) => {
      const heights = [...canvasElement.querySelectorAll("pre, textarea")].map(
        ({ scrollHeight }) => scrollHeight,
      );
      await expect(heights).toHaveLength(2);
      await expect(heights[0]).toBe(heights[1]);
    },
  },
  "Too long for colors": {
    args: { value: JSON.stringify(Array.from({ length: 6_000 }, (_, index) => index)) },
    play: async ({ canvasElement }) => {
      await expect(canvasElement.querySelectorAll("span")).toHaveLength(1);
    },
  },
});

export const TestColors: Story = {
  name: "(Test) What is typed is colored at once",
  args: { value: "" },
  play: async ({ canvas, canvasElement, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Input schema" });
    await userEvent.type(field, '{{"type": "object"');
    await expect(field).toHaveValue('{"type": "object"');
    const colored = [...canvasElement.querySelectorAll("pre span[class]")];
    await expect(colored.map((token) => token.textContent)).toEqual(['"type"', '"object"']);
  },
};
