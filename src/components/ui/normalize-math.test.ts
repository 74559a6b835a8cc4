import { describe, expect, it } from "vitest";
import { normalizeMath } from "./normalize-math";

describe("normalizeMath", () => {
  it.each([
    ["an inline formula", "so \\(x^2\\) is", "so $$x^2$$ is"],
    ["a block", "so\n\\[\nx^2\n\\]\nis", "so\n$$\nx^2\n$$\nis"],
    ["a block in a list", "- so\n  \\[x^2\\]", "- so\n  $$\n  x^2\n  $$"],
    ["a block on one line", "$$x^2$$", "$$\nx^2\n$$"],
    ["a formula in a sentence", "so $$x$$ is", "so $$x$$ is"],
    ["a formula between single dollars", "so $E = mc^2$, and $n$", "so $$E = mc^2$$, and $$n$$"],
    ["a number between single dollars", "all $2x$ of $10^3$", "all $$2x$$ of $$10^3$$"],
    ["a block in a sentence", "so \\[x\\] is", "so $$x$$ is"],
  ])("writes %s between dollars", (_, text, normalized) =>
    expect(normalizeMath(text)).toBe(normalized),
  );

  it.each([
    ["code", "run `\\(x\\)` now"],
    ["a code block", "```tex\n\\[\nx\n\\]\n```"],
    ["an unfinished code block", "```tex\n\\(x\\)"],
    ["prices", "from $5 to $10"],
    ["prices in bold", "**$5** or **$6**"],
    ["prices with the sign behind", "from 5$ to 10$, or $5 to 10$"],
    ["prices of countries", "US$5, AU$6 or $7"],
    ["variables of a shell", "$HOME, $PATH/$USER and $X"],
    ["escaped dollars", "so \\$x\\$ is"],
    ["dollars on two lines", "so $x\ny$ is"],
    ["an unfinished formula", "so \\(x"],
  ])("leaves %s as it is", (_, text) => expect(normalizeMath(text)).toBe(text));
});
