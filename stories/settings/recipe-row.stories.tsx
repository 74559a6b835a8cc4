import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RecipeRow } from "@/components/settings/recipe-row";
import { UNAVAILABLE } from "./fixtures";
import { BROKEN, FROM_FILE, SWITCHED_OFF, WEATHER } from "./recipe-fixtures";

const meta = {
  component: RecipeRow,
  args: {
    recipe: WEATHER,
    trial: undefined,
    onRun: fn(),
    onEdit: fn(),
    onToggle: fn(),
    onDelete: fn(),
  },
  decorators: [(Story) => <ul className="rounded-lg border bg-raised">{Story()}</ul>],
} satisfies Meta<typeof RecipeRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const RUN = { is_error: false, commands: [["curl", "wttr.in/Bern"]], duration_ms: 840 };

export const Declared: Story = {};
export const Off: Story = { args: { recipe: SWITCHED_OFF } };
export const OfFile: Story = { args: { recipe: FROM_FILE } };
export const Broken: Story = { args: { recipe: BROKEN } };
export const Running: Story = { args: { trial: {} } };
export const Succeeded: Story = { args: { trial: { result: { ...RUN, output: "Sunny, 21 °C" } } } };
export const RunFailed: Story = {
  args: {
    trial: {
      result: {
        ...RUN,
        is_error: true,
        output: 'The command "curl" ended with exit code 6.\nCould not resolve host: wttr.in',
      },
    },
  },
};
export const NotRun: Story = { args: { trial: { problem: UNAVAILABLE } } };

export const TestRun: Story = {
  name: "(Test) Run once runs the recipe",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Run once: weather" }));
    await expect(args.onRun).toHaveBeenCalledOnce();
  },
};
