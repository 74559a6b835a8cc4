import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { it, onTestFinished } from "vitest";
import { expectNothingLost, openEmbedded } from "@/test/embedded-crash";
import { startProgram } from "@/test/start-program";

const CRASHES = 10;

it(`a data directory loses nothing that was committed in ${CRASHES} crashes`, async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-embedded-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  for (let crash = 0; crash < CRASHES; crash++) {
    const writer = await startProgram("embedded-writer", [dataDir]);
    await writer.waitForLines(20 + crash * 17);
    await expectNothingLost(dataDir, writer);
    const db = openEmbedded(dataDir);
    await db.query({ name: "test-empty", text: "DELETE FROM setting" }, []);
    await db.close();
  }
});
