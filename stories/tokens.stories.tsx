import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { clsx } from "clsx";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { expect } from "storybook/test";
import {
  CONTRAST_PAIRS,
  type ContrastPair,
  measureContrast,
  type Theme,
  WITHOUT_CONTRAST,
} from "./contrast";
import { ICONS } from "./icons";

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
  <section className="grid grid-cols-1 gap-4">
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

const THEMES: readonly Theme[] = ["light", "dark"];

const Sample = ({ pair, theme }: { pair: ContrastPair; theme: Theme }) => {
  const { kind, foreground, background, least } = pair;
  const ratio = measureContrast(pair, theme);
  return (
    <td className="p-1">
      <span
        data-theme={theme}
        className="flex items-center gap-2 rounded-md border px-2 py-1"
        style={{
          background: `var(--${background})`,
          color: `var(--${kind === "text" ? foreground : "text"})`,
        }}
      >
        {kind === "text" ? (
          <span className="text-sm">Aa</span>
        ) : (
          <CircleAlert aria-hidden size={16} color={`var(--${foreground})`} />
        )}
        <span className="ml-auto text-xs tabular-nums" data-passes={ratio >= least}>
          {ratio.toFixed(1)}
        </span>
      </span>
    </td>
  );
};

const ContrastTable = ({ kind, least }: Pick<ContrastPair, "kind" | "least">) => (
  <table className="w-full text-left text-sm">
    <caption className="pb-2 text-left text-muted">
      {kind === "text" ? "Text" : "Icons, edges of fields, outlines and chosen segments"}: at least{" "}
      {least} to 1
    </caption>
    <thead className="text-xs text-muted">
      <tr>
        <th className="font-medium">Color on color</th>
        {THEMES.map((theme) => (
          <th key={theme} className="px-1 font-medium">
            {theme}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {CONTRAST_PAIRS.filter((pair) => pair.kind === kind).map((pair) => (
        <tr key={`${pair.foreground} ${pair.background}`}>
          <th scope="row" className="pr-2 font-mono text-xs font-normal wrap-anywhere">
            {pair.foreground} on {pair.background}
          </th>
          {THEMES.map((theme) => (
            <Sample key={theme} pair={pair} theme={theme} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const IconGroup = ({ heading }: { heading: string }) => (
  <section aria-label={heading} className="grid gap-3">
    <h3 className="font-medium">{heading}</h3>
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-x-4 gap-y-3">
      {Object.entries(ICONS[heading] ?? {}).map(([name, [Icon, use]]) => (
        <li key={name} className="flex items-start gap-3">
          <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
          <span className="min-w-0">
            <span className="block">{use}</span>
            <span className="font-mono text-xs text-muted">{name}</span>
          </span>
        </li>
      ))}
    </ul>
  </section>
);

const TokensPage = () => (
  <main className="mx-auto grid max-w-4xl grid-cols-1 gap-10 px-6 py-10">
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
    <Section title="Contrast">
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        <ContrastTable kind="text" least={4.5} />
        <div className="grid content-start gap-6">
          <ContrastTable kind="graphic" least={3} />
          <dl className="grid gap-1 text-sm">
            {Object.entries(WITHOUT_CONTRAST).map(([name, reason]) => (
              <div key={name} className="flex flex-wrap gap-x-2">
                <dt className="font-mono text-xs">{name}</dt>
                <dd className="text-muted">no contrast is needed: {reason}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Section>
    <Section title="Icons">
      <p className="text-muted">
        One meaning has one icon. An icon alone has a name for screen readers and a tooltip.
      </p>
      {Object.keys(ICONS).map((heading) => (
        <IconGroup key={heading} heading={heading} />
      ))}
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
      <dl className="grid grid-cols-1 gap-2">
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
      <dl className="grid grid-cols-1 gap-2">
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

/** The test of the colors shows the same. */
export const Tokens: Story = { tags: ["!test"] };

export const TestContrast: Story = {
  name: "(Test) The colors of the style sheet are shown, and each pair has its contrast",
  play: async ({ canvas, canvasElement }) => {
    for (const name of ["bg", "accent", "danger-soft", "code-name"]) {
      await expect(canvas.getByText(name, { exact: true })).toBeVisible();
    }
    const measured = CONTRAST_PAIRS.flatMap((pair) =>
      THEMES.map((theme) => ({ ...pair, theme, ratio: measureContrast(pair, theme) })),
    );
    await expect(measured.filter(({ ratio, least }) => !(ratio >= least))).toEqual([]);
    await expect(canvasElement.querySelectorAll("[data-passes=true]")).toHaveLength(
      CONTRAST_PAIRS.length * THEMES.length,
    );
    const paired = CONTRAST_PAIRS.flatMap(({ foreground, background }) => [foreground, background]);
    const known = new Set([...paired, ...Object.keys(WITHOUT_CONTRAST)]);
    await expect(listColors().filter((name) => !known.has(name.slice(2)))).toEqual([]);
  },
};
export const TestFont: Story = {
  name: "(Test) Text has the font of the product, which is loaded",
  render: () => <p>Parley</p>,
  play: async ({ canvasElement }) => {
    await expect(getComputedStyle(canvasElement).fontFamily).toMatch(/^"Inter Variable"/);
    const faces = await document.fonts.load('1rem "Inter Variable"', "Parley");
    await expect(faces.map(({ status }) => status)).toEqual(["loaded"]);
  },
};
