/** Mutants that change nothing that a test could see, as `describeMutant` names them, each with the reason. */
export const EQUIVALENT_MUTANTS: Readonly<Record<string, string>> = {};
