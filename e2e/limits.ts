/** The limit of each wait for a condition: only what hangs reaches it, however busy the machine is. */
export const HANG_MS = 60_000;

/** The limit of a test, which may wait several times. */
export const TEST_MS = 180_000;

/** The limit of a test of `npm run test:deep`, which repeats what it measures. */
export const DEEP_TEST_MS = 900_000;
