import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ReactNode } from "react";
import { expect } from "storybook/test";
import { GROUPS } from "./story-titles";

const LINK_CLASS = "font-medium text-accent underline underline-offset-2";

/** A link of the page around the story. */
const StoryLink = ({ path, children }: { path: string; children: ReactNode }) => (
  <a href={`/?path=/${path}`} target="_top" className={LINK_CLASS}>
    {children}
  </a>
);

const StartPage = () => (
  <main className="mx-auto grid max-w-2xl gap-6 px-6 py-10 text-base">
    <header className="grid gap-2">
      <h1 className="text-2xl font-semibold tracking-tight">Parley, part by part</h1>
      <p className="text-muted">
        Each component takes its state by props and asks no server, so a story shows what the
        product shows in that state.
      </p>
    </header>
    <section className="grid gap-2">
      <h2 className="font-semibold">Where to begin</h2>
      <ol className="grid list-decimal gap-1.5 pl-5">
        <li>
          <StoryLink path="story/pages--chat">Pages</StoryLink>: whole pages in each of their
          states, also on a phone.
        </li>
        <li>
          <StoryLink path="story/tokens--tokens">Tokens</StoryLink>: the colors with their contrast,
          the icons, type and space that all of them use.
        </li>
        <li>
          <StoryLink path="story/words--words">Words</StoryLink>: how texts read, and the names of
          states.
        </li>
        <li>
          The groups below, from the chat to the building blocks. Each building block has a do and
          don’t.
        </li>
      </ol>
    </section>
    <section className="grid gap-2">
      <h2 className="font-semibold">The toolbar</h2>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>Theme: the system’s, light, dark, or both next to each other.</li>
        <li>Viewport: a phone of 390 pixels, a tablet of 768, a desktop of 1440.</li>
        <li>A component has the width of the column in which the product shows it.</li>
        <li>
          The filter of the sidebar: after <code>npm run review</code> with a commit, the tags new
          and changed show only what looks different since then.
        </li>
      </ul>
    </section>
    <section className="grid gap-2">
      <h2 className="font-semibold">The groups</h2>
      <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[9rem_1fr]">
        {Object.entries(GROUPS).map(([group, content]) => (
          <div key={group} className="contents">
            <dt className="font-medium">{group}</dt>
            <dd className="text-muted">{content}</dd>
          </div>
        ))}
      </dl>
    </section>
    <section className="grid gap-2">
      <h2 className="font-semibold">Tests</h2>
      <p className="text-muted">
        Stories that only assert behavior are left out of this sidebar and of the documents. To see
        them, choose the tag <code className="font-mono text-sm">behavior</code> in the filter next
        to the search. <code className="font-mono text-sm">npm run test:stories</code> runs every
        story and every test, with the accessibility checks.
      </p>
    </section>
  </main>
);

const meta = {
  component: StartPage,
  parameters: { layout: "fullscreen" },
  tags: ["!autodocs"],
} satisfies Meta<typeof StartPage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Start: Story = {};

export const TestLinks: Story = {
  name: "(Test) The first link leads to the pages",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("link", { name: "Pages" })).toHaveAttribute(
      "href",
      "/?path=/story/pages--chat",
    );
  },
};
