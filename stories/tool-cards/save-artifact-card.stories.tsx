import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import SaveArtifactCard from "@/components/tool-cards/cards/save-artifact-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "save_artifact",
  kind: "builtin" as const,
  args: { artifact_id: "a1", path: "data/tides.csv" },
  args_text: '{"artifact_id":"a1","path":"data/ti',
  output: 'Saved "tides.csv" as "data/tides.csv": 2100 bytes.',
};

const meta = {
  component: SaveArtifactCard,
  args: { part: { ...callInState(call, "completed"), for_user: call.output }, now: NOW },
} satisfies Meta<typeof SaveArtifactCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  Streaming: { args: { part: callInState(call, "streaming") } },
  "Shows which file was written": {
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("button", { name: /^Save file data\/tides\.csv/ }),
      ).toBeVisible();
      await expect(await canvas.findByText(/^Saved "tides\.csv"/)).toBeVisible();
    },
  },
  "Links to the artifact that was saved": {
    play: async ({ canvas }) => {
      const link = await canvas.findByRole("link", { name: "Open the artifact" });
      await expect(link).toHaveAttribute("href", "/api/v1/files/a1");
    },
  },
});

export const TestUnknown: Story = {
  name: "(Test) Links to nothing when nothing was saved",
  args: {
    part: { ...callInState(call, "error"), output: 'There is no artifact "a1" in this chat.' },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Save file/ }));
    await expect(await canvas.findByText(/^There is no artifact/)).toBeVisible();
    await expect(canvas.queryByRole("link")).toBeNull();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
