import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { OfflineNotice } from "@/components/ui/offline-notice";

const meta = {
  component: OfflineNotice,
  render: (args) => (
    <div className="relative h-16">
      <OfflineNotice {...args} />
    </div>
  ),
} satisfies Meta<typeof OfflineNotice>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Offline: Story = { args: { isOffline: true, isPageWaiting: false } };
export const PageWaiting: Story = { args: { isOffline: true, isPageWaiting: true } };
export const Online: Story = { args: { isOffline: false, isPageWaiting: false } };

export const TestOffline: Story = {
  name: "(Test) A lost connection is announced",
  ...Offline,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent("Offline");
  },
};

export const TestPageWaiting: Story = {
  name: "(Test) A page that was chosen is said to open later",
  args: { isOffline: false, isPageWaiting: true },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(
      "Offline. The page opens when the server answers.",
    );
  },
};

export const TestOnline: Story = {
  name: "(Test) With a connection the live region is empty",
  ...Online,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
  },
};
