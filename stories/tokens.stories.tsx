import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { expect } from "storybook/test";

/** Lists the custom properties of the themes from the style sheet itself, so that none is missing. */
const listColors = (): string[] => {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const themes = rules.find(
    (rule): rule is CSSStyleRule =>
      rule instanceof CSSStyleRule && rule.style.getPropertyValue("--bg") !== "",
  );
  return themes ? [...themes.style].filter((name) => name.startsWith("--")) : [];
};

const TEXT_CLASSES = [
  ["text-xs", "Times, sizes, states"],
  ["text-note", "Sentences that explain"],
  ["text-sm", "The interface"],
  ["text-base", "Messages"],
  ["text-lg", "Titles of missing pages"],
  ["text-xl", "Sign-in"],
  ["text-2xl", "The first page"],
] as const;
const WEIGHTS = ["font-normal", "font-medium", "font-semibold"] as const;
/** Multiples of 4 pixels. */
const SPACES = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 12] as const;
const RADII = ["rounded-sm", "rounded-md", "rounded-lg", "rounded-xl"] as const;
const WIDTHS = [
  ["Sidebar", "18rem"],
  ["Sign-in", "24rem"],
  ["Settings", "42rem"],
  ["Chat", "46rem"],
] as const;

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-4">
    <h2 className="text-base font-semibold">{title}</h2>
    {children}
  </section>
);

const Color = ({ name }: { name: string }) => (
  <li className="grid gap-1.5">
    <span
      className={clsx("h-12 rounded-md border", name === "--popup-shadow" && "shadow-popup")}
      style={{ background: `var(${name})` }}
    />
    <span className="font-mono text-xs wrap-anywhere">{name.slice(2)}</span>
  </li>
);

const TokensPage = () => (
  <main className="mx-auto grid max-w-4xl gap-10 px-6 py-10">
    <header className="grid gap-1">
      <h1 className="text-2xl font-semibold tracking-tight">Tokens</h1>
      <p className="text-muted">
        What the components are made of, as src/app/globals.css declares it. Choose the theme in the
        toolbar.
      </p>
    </header>
    <Section title="Color">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-4">
        {listColors().map((name) => (
          <Color key={name} name={name} />
        ))}
      </ul>
    </Section>
    <Section title="Type">
      <dl className="grid gap-3">
        {TEXT_CLASSES.map(([className, use]) => (
          <div
            key={className}
            className="grid items-baseline gap-x-4 sm:grid-cols-[8rem_1fr_12rem]"
          >
            <dt className="font-mono text-xs">{className}</dt>
            <dd className={className}>High water at Oban, 09:40</dd>
            <dd className="text-xs text-muted">{use}</dd>
          </div>
        ))}
      </dl>
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-base">
        {WEIGHTS.map((className) => (
          <span key={className} className={className}>
            {className}
          </span>
        ))}
        <span className="font-mono">font-mono</span>
      </p>
    </Section>
    <Section title="Space">
      <dl className="grid gap-2">
        {SPACES.map((space) => (
          <div key={space} className="grid grid-cols-[4rem_6rem_1fr] items-center">
            <dt className="font-mono text-xs">{space}</dt>
            <dd className="text-xs text-muted">{space * 4} px</dd>
            <dd className="h-3 bg-accent" style={{ width: `${space * 4}px` }} />
          </div>
        ))}
      </dl>
      <ul className="flex flex-wrap gap-4">
        {RADII.map((className) => (
          <li key={className} className="grid gap-1.5">
            <span className={clsx("size-16 border border-border-strong bg-surface", className)} />
            <span className="font-mono text-xs">{className}</span>
          </li>
        ))}
      </ul>
      <dl className="grid gap-2">
        {WIDTHS.map(([name, width]) => (
          <div key={name} className="grid max-w-full gap-1" style={{ width }}>
            <dt className="text-xs text-muted">
              {name}, {width}
            </dt>
            <dd className="h-1.5 rounded-sm bg-accent-soft" />
          </div>
        ))}
      </dl>
    </Section>
  </main>
);

const meta = {
  component: TokensPage,
  parameters: { layout: "fullscreen" },
  tags: ["!autodocs"],
} satisfies Meta<typeof TokensPage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Tokens: Story = {};

export const TestColors: Story = {
  name: "(Test) The page shows the colors of the style sheet",
  play: async ({ canvas }) => {
    for (const name of ["bg", "accent", "danger-soft", "scrim"]) {
      await expect(canvas.getByText(name, { exact: true })).toBeVisible();
    }
  },
};
export const TestFont: Story = {
  name: "(Test) Text has the font of the product, which is loaded",
  play: async ({ canvasElement }) => {
    await expect(getComputedStyle(canvasElement).fontFamily).toMatch(/^"Inter Variable"/);
    const faces = await document.fonts.load('1rem "Inter Variable"', "Parley");
    await expect(faces.map(({ status }) => status)).toEqual(["loaded"]);
  },
};
