import { expect, test } from "./fixtures";
import { createServerOfOwn } from "./server";

test("a server that is set up wrongly says what to do, and ends", async () => {
  const server = await createServerOfOwn({ settings: { PARLEY_MODELS: "demo/demo,nonsense" } });
  try {
    await expect(server.start()).rejects.toThrow(/the server ended while it started/);
    const said = server.output();
    expect(said).toContain(
      'Parley cannot start. PARLEY_MODELS has "nonsense": write each model as',
    );
    expect(said).not.toContain("    at ");
  } finally {
    await server.remove();
  }
});
