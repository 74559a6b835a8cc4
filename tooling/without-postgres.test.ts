import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { WITHOUT_POSTGRES } from "./without-postgres";

/** What differs between the databases: connections, locks, transactions, notifications, and claims. */
const DEPENDENT = /\b(testServerUrl|withClient|claimChats)\b|\.(transaction|listen)\(/;

describe.each(Object.keys(WITHOUT_POSTGRES))("%s, which does not run on PostgreSQL,", (pattern) => {
  const files = globSync(pattern);

  it("is there", () => {
    expect(files).not.toEqual([]);
  });

  it("does not depend on the database", () => {
    expect(files.filter((file) => DEPENDENT.test(readFileSync(file, "utf8")))).toEqual([]);
  });
});
