import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { OfflineNotice } from "@/components/ui/offline-notice";
import { PageHeader } from "@/components/ui/page-header";
import { PageNav } from "@/components/ui/page-nav";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

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

const offline: Story = { args: { isOffline: true, isPageWaiting: false, isCommandWaiting: false } };

export const States: Story = showStates(meta, {
  "A lost connection is announced": {
    ...offline,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("Offline");
    },
  },
  "Page waiting": { args: { isOffline: true, isPageWaiting: true, isCommandWaiting: false } },
  "A change that was not sent is said to be sent later": {
    args: { isOffline: true, isPageWaiting: false, isCommandWaiting: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent(
        "Offline. Your change is sent when the server answers.",
      );
    },
  },
  "Empty: with a connection the live region has no text": {
    args: { isOffline: false, isPageWaiting: false, isCommandWaiting: false },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
    },
  },
  "A page that was chosen is said to open later": {
    args: { isOffline: false, isPageWaiting: true, isCommandWaiting: false },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent(
        "Offline. The page opens when the server answers.",
      );
    },
  },
});

/** Of the settings, whose links stay readable. */
export const BelowLinks: Story = {
  ...offline,
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

export const Rules: Story = {
  tags: ["!test"],
  args: { isOffline: true, isPageWaiting: false, isCommandWaiting: false },
  ...showRules({
    dos: [
      {
        text: "Say what becomes of what the person has done.",
        example: (
          <div className="relative h-24">
            <OfflineNotice isOffline isPageWaiting={false} isCommandWaiting />
          </div>
        ),
      },
    ],
    donts: [
      {
        text: "Do not disable the page while the connection is away: drafts and old messages are there.",
      },
    ],
  }),
};
