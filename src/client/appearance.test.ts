import { describe, expect, it } from "vitest";
import { findAppearance, toDocumentAttributes } from "./appearance";

const findIn = (cookies: Record<string, string>) => findAppearance((name) => cookies[name]);

describe("findAppearance", () => {
  it.each([
    ["no cookies", {}, { theme: "system", density: "comfortable", sidebar: "shown" }],
    [
      "all of them",
      { "parley-theme": "dark", "parley-density": "compact", "parley-sidebar": "hidden" },
      { theme: "dark", density: "compact", sidebar: "hidden" },
    ],
    [
      "values that it does not know",
      { "parley-theme": "pink", "parley-density": '"><script>' },
      { theme: "system", density: "comfortable", sidebar: "shown" },
    ],
    [
      "one of https first",
      { "parley-theme": "dark", "__Host-parley-theme": "light" },
      { theme: "light", density: "comfortable", sidebar: "shown" },
    ],
  ])("reads %s", (_, cookies: Record<string, string>, appearance) => {
    expect(findIn(cookies)).toEqual(appearance);
  });
});

describe("toDocumentAttributes", () => {
  it("leaves the defaults to the style sheet", () => {
    expect(
      toDocumentAttributes({ theme: "system", density: "comfortable", sidebar: "shown" }),
    ).toEqual({});
    expect(toDocumentAttributes({ theme: "light", density: "compact", sidebar: "hidden" })).toEqual(
      {
        "data-theme": "light",
        "data-density": "compact",
        "data-sidebar": "hidden",
      },
    );
  });
});
