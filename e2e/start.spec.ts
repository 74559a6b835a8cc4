import { expect, test } from "./fixtures";
import { createTestServer } from "./server";

test("a server with an invalid setting exits and prints what to do", async () => {
  const server = await createTestServer({ settings: { PARLEY_MODELS: "demo/demo,nonsense" } });
  try {
    await expect(server.start()).rejects.toThrow(/the server exited while starting/);
    const output = server.output();
    expect(output).toContain(
      'Parley cannot start. PARLEY_MODELS has "nonsense": write each model as',
    );
    expect(output).not.toContain("    at ");
  } finally {
    await server.remove();
  }
});
