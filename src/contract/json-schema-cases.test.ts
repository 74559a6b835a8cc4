import { describe, expect, it } from "vitest";
import cases from "@/test/fixtures/json-schema-cases.json";
import { compileSchema } from "./check-output";
import type { JsonValue } from "./json";

type Case = {
  group: string;
  what: string;
  schema: JsonValue;
  fits: JsonValue[];
  fails: JsonValue[];
};

// The groups are those of the test suite of JSON Schema.
describe.each(Object.entries(Object.groupBy(cases as Case[], ({ group }) => group)))(
  "a schema with %s",
  (_group, rows = []) => {
    it.each(rows)("$what", ({ schema, fits, fails }) => {
      const check = compileSchema(schema);
      expect(fits.filter((value) => check(value).length > 0)).toEqual([]);
      expect(fails.filter((value) => check(value).length === 0)).toEqual([]);
    });
  },
);
