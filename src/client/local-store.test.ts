import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLocalStore } from "./local-store";

const stored = new Map<string, string>();
let isFull = false;

beforeEach(() => {
  stored.clear();
  isFull = false;
  vi.stubGlobal("window", {
    addEventListener: (_type: string, listener: (event: { key: string | null }) => void) => {
      storageListener = listener;
    },
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (isFull) throw new Error("The quota has been exceeded.");
        stored.set(key, value);
      },
      removeItem: (key: string) => stored.delete(key),
      key: (index: number) => [...stored.keys()][index] ?? null,
      get length() {
        return stored.size;
      },
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

let storageListener: (event: { key: string | null }) => void = () => undefined;

it("keeps the newest value while the storage is full", () => {
  const store = createLocalStore();
  store.set("a", "old");
  isFull = true;
  store.set("a", "new");
  expect(store.get("a")).toBe("new");
  isFull = false;
  store.set("a", "newest");
  expect(store.get("a")).toBe("newest");
  expect(stored.get("a")).toBe("newest");
  store.set("a", null);
  expect(store.get("a")).toBeNull();
});

it("takes the value that another tab has stored since", () => {
  const store = createLocalStore();
  isFull = true;
  store.set("a", "mine");
  stored.set("a", "theirs");
  storageListener({ key: "a" });
  expect(store.get("a")).toBe("theirs");
});

it("forgets all that ends with a name, stored or not, and says so", () => {
  const store = createLocalStore();
  const onChange = vi.fn();
  store.subscribe("b.one", onChange);
  store.set("a.one", "stored");
  store.set("a.two", "of another");
  isFull = true;
  store.set("b.one", "not stored");
  store.deleteByEnd(".one");
  expect([store.get("a.one"), store.get("b.one"), store.get("a.two")]).toEqual([
    null,
    null,
    "of another",
  ]);
  expect([...stored.keys()]).toEqual(["a.two"]);
  expect(onChange).toHaveBeenCalledTimes(2);
});
