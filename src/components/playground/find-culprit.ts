import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import type { JsonPath } from "./read-json";

/** Most members that are tried: each trial checks the whole schema again. People write fewer. */
const MAX_TRIALS = 200;

/**
 * Finds the innermost member without which a schema is accepted.
 *
 * @returns undefined if no single member is at fault, or if there are too many to try.
 */
export const findCulprit = (
  schema: JsonValue,
  isAccepted: (schema: JsonValue) => boolean,
): JsonPath | undefined => {
  const paths = listPaths(schema);
  if (paths.length > MAX_TRIALS) return undefined;
  return paths.find((path) => isAccepted(removeMember(schema, path)));
};

/** Lists the paths of all members of objects, the inner ones first. */
const listPaths = (value: JsonValue): JsonPath[] => {
  const paths: JsonPath[] = [];
  const visit = (child: JsonValue, path: JsonPath): void => {
    if (Array.isArray(child)) child.forEach((item, index) => visit(item, [...path, index]));
    else if (isJsonObject(child)) {
      for (const [key, member] of Object.entries(child)) {
        visit(member, [...path, key]);
        paths.push([...path, key]);
      }
    }
  };
  visit(value, []);
  return paths;
};

const removeMember = (value: JsonValue, [step, ...rest]: JsonPath): JsonValue => {
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? removeMember(item, rest) : item));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key !== step) return [[key, member]];
      return rest.length === 0 ? [] : [[key, removeMember(member, rest)]];
    }),
  );
};
