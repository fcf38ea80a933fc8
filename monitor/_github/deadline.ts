/** How long whoever waits for GitHub waits. */

/** A call of somebody who waits for it, milliseconds. */
export const COMMAND_MS = 30_000;
