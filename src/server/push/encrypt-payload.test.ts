import { describe, expect, it } from "vitest";
import { createTestBrowser } from "@/test/push-service";
import { encryptPayload, isPublicKey, MAX_PAYLOAD_BYTES } from "./encrypt-payload";

/** The example of RFC 8291, section 5 and appendix A. */
const RFC = {
  text: "When I grow up, I want to be a watermelon",
  browser: {
    p256dh:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
  privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz" +
    "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

describe("a payload", () => {
  it("is encrypted as in the example of RFC 8291", () => {
    const body = encryptPayload(RFC.text, RFC.browser, {
      salt: Buffer.from(RFC.salt, "base64url"),
      privateKey: Buffer.from(RFC.privateKey, "base64url"),
    });
    expect(body.toString("base64url")).toBe(RFC.body);
  });

  it("has a salt and a key of its own each time", () => {
    const browser = createTestBrowser();
    const text = JSON.stringify({ kind: "done" });
    const [one, other] = [encryptPayload(text, browser.keys), encryptPayload(text, browser.keys)];
    expect(one.subarray(0, 16)).not.toEqual(other.subarray(0, 16));
    expect(one.subarray(21, 86)).not.toEqual(other.subarray(21, 86));
    expect(browser.decrypt(one)).toEqual({ kind: "done" });
    expect(browser.decrypt(other)).toEqual({ kind: "done" });
  });

  it("of the greatest length fills what a push service takes", () => {
    const { keys } = createTestBrowser();
    expect(encryptPayload("x".repeat(MAX_PAYLOAD_BYTES), keys)).toHaveLength(4_096);
  });
});

describe("the key of a browser", () => {
  it("is usable if it is a point of the curve", () => {
    const { p256dh } = RFC.browser;
    expect(isPublicKey(p256dh)).toBe(true);
    expect(isPublicKey(`${p256dh.slice(0, -2)}AA`)).toBe(false);
    expect(isPublicKey("A".repeat(87))).toBe(false);
  });
});
