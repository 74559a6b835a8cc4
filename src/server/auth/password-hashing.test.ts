import { expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import { hashPassword, verifyPassword } from "./password-hashing";

it("hashes two passwords at a time, lets twenty wait, and refuses more", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => hashPassword(`password ${index}`)),
  );
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result] : []));
  expect(refused).toHaveLength(8);
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(DomainError);
    expect(reason).toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
  }
  const [first] = results;
  if (first?.status !== "fulfilled") throw new Error("the first one must be hashed");
  expect(await verifyPassword({ hash: first.value, password: "password 0" })).toBe(true);
  expect(await verifyPassword({ hash: first.value, password: "password 1" })).toBe(false);
});
