export type Theme = "light" | "dark";

type Pair = readonly [foreground: string, backgrounds: readonly string[]];

/** Texts and the colors that they stand on. */
const TEXTS: readonly Pair[] = [
  [
    "text",
    [
      "bg",
      "surface",
      "raised",
      "hover",
      "accent-soft",
      "danger-soft",
      "warning-soft",
      "success-soft",
    ],
  ],
  [
    "text-muted",
    ["bg", "surface", "raised", "hover", "accent-soft", "danger-soft", "warning-soft"],
  ],
  ["accent", ["bg", "surface", "raised", "hover"]],
  ["accent-strong", ["accent-soft"]],
  ["accent-contrast", ["accent", "accent-strong"]],
  ["danger", ["bg", "surface", "raised", "hover", "danger-soft"]],
  ["danger-contrast", ["danger", "danger-strong"]],
  ["warning", ["bg", "surface", "raised", "warning-soft"]],
  ["success", ["bg", "surface", "raised"]],
  // The number of chats that need the person.
  ["bg", ["warning"]],
  ["code-name", ["surface", "raised"]],
  ["code-string", ["surface", "raised"]],
  ["code-value", ["surface", "raised"]],
];

/** Marks that carry a meaning: icons, edges of fields, the outline of what has the focus, a chosen segment in its row. */
const GRAPHICS: readonly Pair[] = [
  ["border-field", ["bg", "surface", "raised"]],
  ["accent", ["bg", "surface", "raised", "hover", "accent-soft"]],
  ["danger", ["bg", "surface", "raised", "danger-soft"]],
  ["warning", ["bg", "surface", "raised", "hover", "warning-soft"]],
  ["success", ["bg", "surface", "raised", "success-soft"]],
];

/** Colors that need no contrast, and why. */
export const WITHOUT_CONTRAST: Readonly<Record<string, string>> = {
  border: "a line that only separates",
  "border-strong": "the edge of what has a text: a button, a card",
  scrim: "darkens the page below a dialog",
  "popup-shadow": "a shadow",
};

/** What WCAG 2.2 asks of text (1.4.3) and of graphics (1.4.11). */
const LEAST = { text: 4.5, graphic: 3 } as const;

const toPairs = (kind: keyof typeof LEAST, pairs: readonly Pair[]) =>
  pairs.flatMap(([foreground, backgrounds]) =>
    backgrounds.map((background) => ({ kind, foreground, background, least: LEAST[kind] })),
  );

export type ContrastPair = ReturnType<typeof toPairs>[number];

export const CONTRAST_PAIRS: readonly ContrastPair[] = [
  ...toPairs("text", TEXTS),
  ...toPairs("graphic", GRAPHICS),
];

/** The browser computes all styles anew for each color that is read. */
const readColors = new Map<string, readonly number[]>();

/** Reads a color of the style sheet as the browser computes it in a theme: red, green and blue from 0 to 255. */
const readColor = (name: string, theme: Theme): readonly number[] => {
  const key = `${name} ${theme}`;
  const known = readColors.get(key);
  if (known) return known;
  const probe = document.createElement("span");
  probe.dataset.theme = theme;
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  const channels = (/^rgb\((.*)\)$/.exec(color)?.[1] ?? "").split(",").map(Number);
  readColors.set(key, channels);
  return channels;
};

/** The relative luminance as WCAG defines it. */
const toLuminance = (color: readonly number[]): number => {
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** @returns the ratio of contrast, from 1 to 21. */
export const measureContrast = (
  { foreground, background }: Pick<ContrastPair, "foreground" | "background">,
  theme: Theme,
): number => {
  const luminances = [foreground, background].map((name) => toLuminance(readColor(name, theme)));
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
};
