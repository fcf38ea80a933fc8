/** One start at a time: between the look whether a name is free and the window of that name nobody else may come. */
import { spawnLockPath } from "../_state/spawn-lock.ts";
import type { Refusal } from "./args.ts";
import { type SpawnContext, warn } from "./context.ts";
import { refused } from "./plan.ts";

/** A start takes a second or two, and ten at once are many. */
const WAIT_MS = 30_000;

/** Resolves to what `act` gave, or to a refusal when another start does not end. */
export async function withSpawnLock<T>(
	ctx: SpawnContext,
	act: () => Promise<T>,
): Promise<T | Refusal> {
	const { doors, home } = ctx;
	doors.files.mkdir(home.stateDir);
	const path = spawnLockPath(home.stateDir);
	const attempt = await doors.locks.acquireWithin(path, WAIT_MS);
	switch (attempt.kind) {
		case "held":
			return refused(
				1,
				`another start holds ${path} and does not end: try again`,
			);
		case "cannot-open":
			warn(ctx, `starts are not kept apart: ${attempt.reason}`);
			return act();
		case "acquired":
			try {
				return await act();
			} finally {
				attempt.lock.release();
			}
	}
}
