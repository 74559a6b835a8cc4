import { expect, it } from "vitest";
import * as z from "zod";
import { toFieldErrors } from "./field-errors";

const getMessages = (schema: z.ZodType, value: unknown): string[] =>
  toFieldErrors(schema.safeParse(value).error?.issues ?? []).map(
    ({ pointer, message }) => `${pointer} ${message}`,
  );

it("does not measure the length of a value of a wrong type", () => {
  const schema = z.object({ ids: z.array(z.string()).max(3) });
  expect(getMessages(schema, { ids: "a long text" })).toEqual(["/ids must be an array"]);
});

it.each([
  [z.array(z.string()).min(1), [], " must be at least 1 item long"],
  [z.array(z.string()).max(2), ["a", "b", "c"], " must be at most 2 items long"],
  [z.string().min(1), "", " must be at least 1 character long"],
  [z.string().max(0), "a", " must be at most 0 characters long"],
  [z.number().min(1), 0, " must be at least 1"],
])("names a limit in the number of its unit", (schema, value, message) => {
  expect(getMessages(schema, value)).toEqual([message]);
});
