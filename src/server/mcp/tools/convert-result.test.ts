import { expect, it } from "vitest";
import { convertResult } from "./convert-result";

const save = () => Promise.reject(new Error("no file is saved here"));
const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ type: "text" as const, text: `${index}` }));

it("reads 1,000 parts of a result, and says how many more there are", async () => {
  const { forLlm } = await convertResult({ content: texts(100_000) }, save);
  const parts = forLlm.split("\n\n");
  expect(parts).toHaveLength(1_001);
  expect(parts.slice(-2)).toEqual(["999", "[99000 more parts of the result were left out]"]);
});

it("says nothing of parts that are left out when there are none", async () => {
  const { forLlm } = await convertResult({ content: texts(1_000) }, save);
  expect(forLlm.split("\n\n")).toHaveLength(1_000);
});

it("has no rounded number of data without a text, and all else of it", async () => {
  const structuredContent = JSON.parse(
    '{"id": 1234567890123456789, "all": [1e400, 9007199254740991, -0.5, "1234567890123456789"]}',
  ) as Record<string, unknown>;
  const refused =
    "[a number above 9007199254740991 that cannot be read exactly: the server must send it as text]";
  const { forLlm } = await convertResult({ content: [], structuredContent }, save);
  expect(JSON.parse(forLlm)).toEqual({
    id: refused,
    all: [refused, 9007199254740991, -0.5, "1234567890123456789"],
  });
});
