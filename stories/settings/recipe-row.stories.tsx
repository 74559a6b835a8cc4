import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RecipeRow } from "@/components/settings/recipe-row";
import { showStates } from "../show-states";
import { UNAVAILABLE } from "./fixtures";
import { BROKEN, FROM_FILE, SWITCHED_OFF, WEATHER } from "./recipe-fixtures";

const meta = {
  component: RecipeRow,
  args: {
    item: WEATHER,
    trial: undefined,
    onTry: fn(),
    onEdit: fn(),
    onChange: fn(),
    onDelete: fn(),
  },
  render: (args) => (
    <ul className="rounded-lg border bg-raised">
      <RecipeRow {...args} />
    </ul>
  ),
} satisfies Meta<typeof RecipeRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const RUN = { is_error: false, commands: [["curl", "wttr.in/Bern"]], duration_ms: 840 };

export const States: Story = showStates(meta, {
  Declared: {},
  Off: { args: { item: SWITCHED_OFF } },
  "Of file": { args: { item: FROM_FILE } },
  Broken: { args: { item: BROKEN } },
  Testing: { args: { trial: {} } },
  "Test passed": { args: { trial: { result: { ...RUN, output: "Sunny, 21 °C" } } } },
  "Test failed": {
    args: {
      trial: {
        result: {
          ...RUN,
          is_error: true,
          output: 'The command "curl" ended with exit code 6.\nCould not resolve host: wttr.in',
        },
      },
    },
  },
  "Not tested": { args: { trial: { problem: UNAVAILABLE } } },
});

export const TestRun: Story = {
  name: "(Test) Run once runs the recipe",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Run once: weather" }));
    await expect(args.onTry).toHaveBeenCalledOnce();
  },
};
