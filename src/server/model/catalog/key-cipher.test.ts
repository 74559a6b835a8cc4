import { describe, expect, it } from "vitest";
import { createKeyCipher } from "./key-cipher";

const KEY = "sk-a-key-of-a-provider";
const cipher = createKeyCipher("a secret of the server, long enough");

describe("createKeyCipher", () => {
  it("decrypts what it has encrypted, in any process with the same secret", () => {
    const text = cipher.encrypt(KEY, "model");
    expect(createKeyCipher("a secret of the server, long enough").decrypt(text, "model")).toBe(KEY);
    expect(text).not.toContain(KEY);
    expect(cipher.encrypt(KEY, "model")).not.toBe(text);
  });

  it("decrypts nothing of another secret or another model, and nothing that was changed", () => {
    const text = cipher.encrypt(KEY, "model");
    expect(createKeyCipher("another secret of the server").decrypt(text, "model")).toBeUndefined();
    expect(cipher.decrypt(text, "other model")).toBeUndefined();
    const [format, iv = "", encrypted = "", tag = ""] = text.split(".");
    const changed = encrypted.startsWith("A") ? `B${encrypted.slice(1)}` : `A${encrypted.slice(1)}`;
    expect(cipher.decrypt([format, iv, changed, tag].join("."), "model")).toBeUndefined();
    expect(
      cipher.decrypt([format, iv, encrypted, tag.slice(0, 4)].join("."), "model"),
    ).toBeUndefined();
    expect(cipher.decrypt(["v2", iv, encrypted, tag].join("."), "model")).toBeUndefined();
    expect(cipher.decrypt("", "model")).toBeUndefined();
  });
});
