import type { Effort } from "./efforts";

/** What a regenerated answer is made with that differs from the one that is there. */
export type RegenerateChoice = { model_id: string } | { reasoning_effort: Effort };
