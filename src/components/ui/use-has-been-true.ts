import { useState } from "react";

/** Returns whether a condition holds or has held, so that a lazily loaded part stays once it was needed. */
export const useHasBeenTrue = (condition: boolean): boolean => {
  const [hasBeenTrue, setHasBeenTrue] = useState(condition);
  if (condition && !hasBeenTrue) setHasBeenTrue(true);
  return condition || hasBeenTrue;
};
