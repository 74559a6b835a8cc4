import type { JsonValue } from "@/contract/json";
import type { ToolResult } from "./tool-result";

/** Changes every text of a result that anybody gets to read. */
export const mapTexts = (result: ToolResult, change: (text: string) => string): ToolResult => ({
  ...result,
  forLlm: change(result.forLlm),
  ...(result.forUser !== undefined && { forUser: change(result.forUser) }),
  ...(result.value !== undefined && { value: mapStrings(result.value, change) }),
});

/** @throws {TypeError} when the value is no JSON. */
const mapStrings = (value: JsonValue, change: (text: string) => string): JsonValue =>
  JSON.parse(JSON.stringify(value), (_key, child: JsonValue) =>
    typeof child === "string" ? change(child) : child,
  ) as JsonValue;
