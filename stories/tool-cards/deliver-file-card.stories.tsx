import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import DeliverFileCard from "@/components/tool-cards/cards/deliver-file-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { tidesCsv, tidesImage } from "./files";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "deliver_file",
  kind: "builtin" as const,
  args: { path: "out/tides.png" },
  args_text: '{"path":"out/ti',
  output: 'Delivered "tides.png" (image/png, 2100 bytes) to the user.',
};
const delivered = { ...callInState(call, "completed"), response_handled: true };

const meta = {
  component: DeliverFileCard,
  args: { part: { ...delivered, artifacts: [tidesImage] }, now: NOW },
} satisfies Meta<typeof DeliverFileCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Completed, image": {},
  "Links to a delivered file that is no image": {
    args: { part: { ...delivered, artifacts: [tidesCsv] } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link", { name: /^tides\.csv/ })).toBeVisible();
      await expect(canvas.queryByRole("img")).toBeNull();
    },
  },
  Streaming: { args: { part: callInState(call, "streaming") } },
  "Failed: why the file was not delivered": {
    args: { part: callInState(call, "error") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("The path leads out of the workspace.")).toBeVisible();
    },
  },
  "Shows a delivered image at once, with a link to it, and not what the model reads": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button")).toHaveAccessibleName(
        /^Deliver file tides\.png .*Done$/,
      );
      await expect(await canvas.findByRole("img", { name: "tides.png" })).toBeVisible();
      await expect(canvas.getAllByRole("link")).toHaveLength(2);
      await expect(canvas.queryByText(/^Delivered/)).toBeNull();
    },
  },
});

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
