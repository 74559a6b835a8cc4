import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { StateMark } from "@/components/tool-cards/state-mark";

const meta = { component: StateMark, args: { state: "running" } } satisfies Meta<typeof StateMark>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Streaming: Story = { args: { state: "streaming" } };
export const Running: Story = {};
export const AwaitingResult: Story = { args: { state: "awaiting_result" } };
export const AwaitingApproval: Story = { args: { state: "awaiting_approval" } };
export const Completed: Story = { args: { state: "completed" } };
export const Failed: Story = { args: { state: "error" } };
export const Cancelled: Story = { args: { state: "cancelled" } };
export const TimedOut: Story = { args: { state: "timed_out" } };
export const Denied: Story = { args: { state: "denied" } };
