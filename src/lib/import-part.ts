const DELAY_MS = 1_000;
/** About a minute: a server that is away longer may come back with other scripts. */
const MAX_TRIES = 60;

/**
 * Imports scripts of the page, again and again while they cannot be loaded: the server may be away for a moment, and
 * React keeps a failed import for good.
 *
 * @throws {Error} the last failure of the import.
 */
export const importPart = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    }
  }
};
