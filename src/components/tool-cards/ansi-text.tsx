import Anser, { type AnserJsonEntry } from "anser";
import type { CSSProperties } from "react";
import { BreakableText } from "@/components/ui/breakable-text";
import { toPrintable } from "./printable-text";

/** The colors of a terminal on its dark background, each with a contrast of at least 4.5. */
const COLORS = {
  black: "#8a9694",
  red: "#f58c82",
  green: "#6fc691",
  yellow: "#e2b45c",
  blue: "#7fb2f0",
  magenta: "#d99be0",
  cyan: "#5cc8cf",
  white: "#d5dcdb",
} as const;
type ColorName = keyof typeof COLORS;

const BRIGHT: Record<ColorName, string> = {
  black: "#a3afad",
  red: "#ffb3ab",
  green: "#97e0b3",
  yellow: "#f5d28c",
  blue: "#a8ccf8",
  magenta: "#ecbdf1",
  cyan: "#8fe3e8",
  white: "#ffffff",
};
/** The text of a program that sets both colors: its black is meant to be dark. */
const BLACK = "#0b0f0f";

/** Shows text with the colors and styles of its SGR sequences; other control sequences are left out. */
export const AnsiText = ({ text }: { text: string }) => {
  const shown = toPrintable(text);
  if (!shown.includes("\u001b")) return <BreakableText text={shown} />;
  return Anser.ansiToJson(shown, { json: true, remove_empty: true, use_classes: true }).map(
    (piece, index) => (
      <span key={index} style={toStyle(piece)}>
        <BreakableText text={piece.content} />
      </span>
    ),
  );
};

const toStyle = (piece: AnserJsonEntry): CSSProperties => {
  const background = toColor(piece.bg, piece.bg_truecolor);
  const isBlackOnColor = background !== undefined && piece.fg === "ansi-black";
  const color = isBlackOnColor ? BLACK : toColor(piece.fg, piece.fg_truecolor);
  const has = (name: AnserJsonEntry["decorations"][number]) => piece.decorations.includes(name);
  return {
    ...(color !== undefined && { color }),
    ...(background !== undefined && { backgroundColor: background }),
    ...(has("bold") && { fontWeight: 600 }),
    ...(has("dim") && { opacity: 0.8 }),
    ...(has("italic") && { fontStyle: "italic" }),
    ...(has("underline") && { textDecoration: "underline" }),
    ...(has("strikethrough") && { textDecoration: "line-through" }),
  };
};

/** @param name as the library names it; its types miss that it is null for the default color. */
const toColor = (name: string | null, truecolor: string): string | undefined => {
  if (name === null) return undefined;
  if (name === "ansi-truecolor") return `rgb(${truecolor})`;
  const [, palette] = /^ansi-palette-(\d+)$/.exec(name) ?? [];
  if (palette !== undefined) return toPaletteColor(Number(palette));
  const [, bright, base = ""] = /^ansi-(bright-)?(\w+)$/.exec(name) ?? [];
  if (!isColorName(base)) return undefined;
  return (bright === undefined ? COLORS : BRIGHT)[base];
};

const isColorName = (name: string): name is ColorName => Object.hasOwn(COLORS, name);

/** The colors 16 to 255: a cube of six levels for each of red, green and blue, then 24 grays. */
const toPaletteColor = (index: number): string => {
  if (index >= 232) {
    const gray = 8 + (index - 232) * 10;
    return `rgb(${gray}, ${gray}, ${gray})`;
  }
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return `rgb(${level(Math.floor(cube / 36))}, ${level(Math.floor(cube / 6) % 6)}, ${level(cube % 6)})`;
};
