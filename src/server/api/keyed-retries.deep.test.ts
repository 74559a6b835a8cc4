import { it } from "vitest";
import { testServerUrl } from "@/test/database";
import { expectOnceInCrashes, expectOnceInCuts } from "@/test/keyed-rounds";

const CRASHES = 14;
const CUTS = 140;

it(`requests with a key are carried out once in ${CRASHES} crashes of the server`, () =>
  expectOnceInCrashes(CRASHES));

if (testServerUrl) {
  const server = testServerUrl;
  it(`requests with a key are carried out once in ${CUTS} cuts of connections`, async () => {
    await expectOnceInCuts(server, CUTS);
  });
}
