import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import LoadImageCard from "@/components/tool-cards/cards/load-image-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { tidesImage } from "./files";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "load_image",
  kind: "builtin" as const,
  args: { path: "out/tides.png" },
  args_text: '{"path":"out/ti',
  output: 'Loaded "tides.png": image/png, 320 × 180 pixels, 2100 bytes.',
};
const loaded = { ...callInState(call, "completed"), artifacts: [tidesImage] };

const meta = {
  component: LoadImageCard,
  args: { part: loaded, now: NOW },
} satisfies Meta<typeof LoadImageCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  "Names the artifact when there is no path": {
    args: { part: { ...loaded, args: { artifact_id: "a1" } } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /^Load image tides\.png/ })).toBeVisible();
    },
  },
  Streaming: { args: { part: callInState(call, "streaming") } },
});

export const TestByPath: Story = {
  name: "(Test) Shows the image, and what the model reads, when it is opened",
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByRole("img", { name: "tides.png" })).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: /^Load image out\/tides\.png/ }));
    await expect(await canvas.findByRole("img", { name: "tides.png" })).toBeVisible();
    await expect(canvas.getByText(/320 × 180 pixels/)).toBeVisible();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
