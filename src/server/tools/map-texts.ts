import type { JsonValue } from "@/contract/json";
import { mapJsonTexts, parseExactJson } from "@/lib/exact-json";
import type { ToolResult } from "./tool-result";

/** Maps all texts of a result: those of the model, the person and the data. */
export const mapTexts = (result: ToolResult, change: (text: string) => string): ToolResult => ({
  ...result,
  forLlm: change(result.forLlm),
  ...(result.forUser !== undefined && { forUser: change(result.forUser) }),
  ...(result.value !== undefined && { value: mapStrings(result.value, change) }),
});

/** @throws {TypeError} when the value is not JSON. */
export const mapStrings = <Value extends JsonValue>(
  value: Value,
  change: (text: string) => string,
): Value => mapJsonTexts(parseExactJson(JSON.stringify(value)), change) as Value;
