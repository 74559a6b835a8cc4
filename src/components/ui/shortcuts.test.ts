import { afterEach, describe, expect, it, vi } from "vitest";
import { isShortcut, listKeys, SHORTCUTS } from "./shortcuts";

const press = (
  key: string,
  modifiers: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "altGraph", true>> = {},
  code = "",
) => {
  const { altGraph = false, ...flags } = modifiers;
  const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
  const getModifierState = (name: string): boolean => name === "AltGraph" && altGraph;
  return { ...none, ...flags, key, code, getModifierState };
};

const useComputer = (platform: string): void => void vi.stubGlobal("navigator", { platform });

afterEach(() => vi.unstubAllGlobals());

describe("a shortcut", () => {
  const { everywhere, "outside-fields": single, "chat-list": list } = SHORTCUTS;
  const palette = everywhere["open-palette"];
  const shifted = everywhere["find-in-chat"];

  it("with Ctrl is one with Cmd on a Mac, where Ctrl edits text", () => {
    useComputer("Linux x86_64");
    expect(isShortcut(press("k", { ctrlKey: true }), palette)).toBe(true);
    expect(isShortcut(press("k", { metaKey: true }), palette)).toBe(false);
    useComputer("MacIntel");
    expect(isShortcut(press("k", { metaKey: true }), palette)).toBe(true);
    expect(isShortcut(press("k", { ctrlKey: true }), palette)).toBe(false);
  });

  it("needs its modifiers, and no others", () => {
    useComputer("Win32");
    expect(isShortcut(press("k"), palette)).toBe(false);
    expect(isShortcut(press("K", { ctrlKey: true, shiftKey: true }), palette)).toBe(false);
    expect(isShortcut(press("k", { ctrlKey: true, altKey: true }), palette)).toBe(false);
    expect(isShortcut(press("F", { ctrlKey: true, shiftKey: true }), shifted)).toBe(true);
    expect(isShortcut(press("f", { ctrlKey: true }), shifted)).toBe(false);
    expect(isShortcut(press("F10"), list["row-menu"])).toBe(false);
    expect(isShortcut(press("F10", { shiftKey: true }), list["row-menu"])).toBe(true);
  });

  it("is at the place of its letter on a keyboard of another alphabet, and nowhere else", () => {
    useComputer("Win32");
    expect(isShortcut(press("л", { ctrlKey: true }, "KeyK"), palette)).toBe(true);
    expect(isShortcut(press("t", { ctrlKey: true }, "KeyK"), palette)).toBe(false);
  });

  it("of a character is what the layout writes, with Shift or AltGr or without", () => {
    useComputer("Win32");
    const sidebar = single["toggle-sidebar"];
    expect(isShortcut(press("?", { shiftKey: true }), single["show-shortcuts"])).toBe(true);
    expect(isShortcut(press("?"), single["show-shortcuts"])).toBe(true);
    expect(isShortcut(press("["), sidebar)).toBe(true);
    expect(isShortcut(press("[", { ctrlKey: true, altKey: true, altGraph: true }), sidebar)).toBe(
      true,
    );
    expect(isShortcut(press("[", { ctrlKey: true }), sidebar)).toBe(false);
  });

  it("is shown by the names of its keys", () => {
    expect(listKeys(shifted, false)).toEqual(["Ctrl", "Shift", "F"]);
    expect(listKeys(shifted, true)).toEqual(["⌘", "⇧", "F"]);
    expect(listKeys(single["show-shortcuts"], false)).toEqual(["?"]);
    expect(listKeys(SHORTCUTS["message-field"]["edit-last"], false)).toEqual(["↑"]);
  });
});

describe("the list", () => {
  const places: [string, Record<string, Parameters<typeof listKeys>[0]>][] =
    Object.entries(SHORTCUTS);

  it.each(places)("%s has each key once", (_, place) => {
    const keys = Object.values(place).map((shortcut) => listKeys(shortcut, false).join("+"));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
