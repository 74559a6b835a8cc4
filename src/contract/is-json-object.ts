import { isRecord } from "@/lib/is-record";
import type { JsonObject, JsonValue } from "./json";

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject => isRecord(value);
