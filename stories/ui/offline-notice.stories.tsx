import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { OfflineNotice } from "@/components/ui/offline-notice";
import { PageHeader } from "@/components/ui/page-header";
import { PageNav } from "@/components/ui/page-nav";

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

/** Of the settings, whose links stay readable. */
export const BelowLinks: Story = {
  ...Offline,
  render: (args) => (
    <main className="relative h-40">
      <OfflineNotice {...args} />
      <PageHeader onOpenSidebar={() => undefined} waitingCount={0}>
        Settings
      </PageHeader>
      <PageNav
        label="Settings"
        pages={[{ href: "/settings/account", label: "Account" }]}
        currentHref="/settings/account"
        onNavigate={() => undefined}
      />
    </main>
  ),
};

export const TestBelowLinks: Story = {
  name: "(Test) The notice is below the links between pages",
  ...BelowLinks,
  play: async ({ canvas }) => {
    const notice = canvas.getByText(/^Offline/).getBoundingClientRect();
    const links = canvas.getByRole("navigation").getBoundingClientRect();
    await expect(notice.top).toBeGreaterThanOrEqual(links.bottom);
  },
};

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
