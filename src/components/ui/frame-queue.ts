import { flushSync } from "react-dom";

const callbacks: (() => void)[] = [];
let isScheduled = false;
let pauses = 0;

const runNext = (): void => {
  isScheduled = false;
  if (pauses > 0) return;
  const callback = callbacks.pop();
  // Otherwise, React renders the changes of several frames in one task when the browser is busy.
  if (callback) flushSync(callback);
  if (callbacks.length > 0) schedule();
};

const schedule = (): void => {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(runNext);
};

/**
 * Runs a callback in a frame of its own, so that many small changes of the page leave it time to react. The newest
 * one runs first, as a chat shows its end.
 *
 * @returns a function that cancels it.
 */
export const runInFrame = (callback: () => void): (() => void) => {
  callbacks.push(callback);
  schedule();
  return () => {
    const index = callbacks.indexOf(callback);
    if (index !== -1) callbacks.splice(index, 1);
  };
};

/**
 * Holds all callbacks back, as React begins the rendering of a transition anew when they change the page, and renders it
 * in one long task when that has happened too often.
 *
 * @returns a function that ends the pause.
 */
export const pauseFrames = (): (() => void) => {
  pauses += 1;
  return () => {
    pauses -= 1;
    if (pauses === 0 && callbacks.length > 0) schedule();
  };
};
