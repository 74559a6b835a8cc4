import { expect, it, onTestFinished } from "vitest";
import { startStubServer } from "@/test/stub-server";
import { fetchExactly } from "./fetch-exactly";

const LINES = [
  '{"a":"x"}',
  '{"id":1234567890123456789,"n":[1e400,0.1]}',
  "",
  "no JSON 1234567890123456789",
];
const READ = [
  '{"a":"x"}',
  '{"id":"1234567890123456789","n":["1e400",0.1]}',
  "",
  "no JSON 1234567890123456789",
];

it.each([1, 7, 1_000])(
  "gives numbers of many digits as texts, from pieces of %d bytes",
  async (size) => {
    const server = await startStubServer((response) => {
      const bytes = Buffer.from(LINES.join("\n"));
      for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
      response.end();
    });
    onTestFinished(server.close);
    const response = await fetchExactly(server.url);
    expect((await response.text()).split("\n")).toEqual(READ);
  },
);

it("gives each line when it has come", async () => {
  const server = await startStubServer((response) => {
    response.write('{"a":1}\n');
  });
  onTestFinished(server.close);
  const response = await fetchExactly(server.url);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe('{"a":1}\n');
  await reader?.cancel();
});
