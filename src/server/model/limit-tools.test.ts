import { expect, it } from "vitest";
import { limitTools } from "./limit-tools";

const createTools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: "function" as const,
    name: `t${index}`,
    inputSchema: {},
  }));

it("keeps 128 tools for OpenAI, those of MCP servers last, in their order", () => {
  const tools = createTools(131);
  const isMcp = (name: string): boolean => Number(name.slice(1)) < 5;
  const limited = limitTools(tools, { provider: "openai", isMcp });
  expect(limited.tools).toEqual([...tools.slice(0, 2), ...tools.slice(5)]);
  expect(limited.warning).toBe('OpenAI takes 128 tools: 3 of 131 are not offered, from "t2" on.');
});

it.each([
  ["128 tools for OpenAI", "openai", "native", 128],
  ["any number that are called as XML", "openai", "xml", 129],
  ["any number for others", "anthropic", "native", 500],
] as const)("keeps the same list: %s", (_what, provider, toolProtocol, count) => {
  const tools = createTools(count);
  const limited = limitTools(tools, { provider, toolProtocol, isMcp: () => true });
  expect(limited).toEqual({ tools });
  expect(limited.tools).toBe(tools);
});
