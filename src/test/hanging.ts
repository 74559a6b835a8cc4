/** The limit of a wait for a condition, for `vi.waitFor` and `vi.waitUntil`: only what hangs takes longer. */
export const HANGING = { timeout: 60_000, interval: 20 };
