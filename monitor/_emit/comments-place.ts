/** Where the comments of a report come from, and what the views of one process share. */
import type { Claims } from "./comment-claims.ts";
import {
	type LookAtMention,
	type RegistryMemory,
	registryMemory,
} from "./mention-registry.ts";
import type { EmitPlace } from "./place.ts";

/** A part of the report's own place. */
export type CommentsPlace = Pick<
	EmitPlace,
	"stateDir" | "stageDir" | "startedAt" | "config"
>;

/** What the views of one process share. */
export interface CommentsMemory {
	readonly claims: Claims;
	/** Files of drains whose view has not ended. */
	readonly draining: Set<string>;
	readonly registry: RegistryMemory;
	/** Comments that asked not to be heard and were logged. */
	readonly optedOut: Set<string>;
}

/** Empty; it lives as long as the process, and nothing of it is kept. */
export function commentsMemory(): CommentsMemory {
	return {
		claims: new Map(),
		draining: new Set(),
		registry: registryMemory(),
		optedOut: new Set(),
	};
}

export interface CommentsParts {
	readonly place: CommentsPlace;
	readonly memory: CommentsMemory;
	/** Null: GitHub is not asked. */
	readonly look: LookAtMention | null;
}
