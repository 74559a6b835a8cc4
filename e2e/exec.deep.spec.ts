import { test } from "./fixtures";
import { expectLittleMemory } from "./exec-memory";

test("an output of 2 GB takes little memory of the server", async () => {
  test.setTimeout(600_000);
  await expectLittleMemory(2_000_000_000);
});
