/** The `Locks` door over a table in memory; texts lie in the fake files, as the real ones lie in the lock file. */
import type { Clock, LockAttempt, Locks } from "../../monitor/_sys/doors.ts";
import type { FakeFiles } from "./files.ts";

export interface FakeLocks extends Locks {
	/** Another process holds `path`; returns its release. */
	takenElsewhere(path: string, text?: string): () => void;
	/** Opening `path` fails from now on. */
	cannotOpen(path: string, reason: string): void;
	/** And works again. */
	canOpen(path: string): void;
	/** Paths held now, sorted. */
	heldPaths(): string[];
}

const POLL_MS = 100;

export function fakeLocks(files: FakeFiles, clock: Clock): FakeLocks {
	const held = new Set<string>();
	const broken = new Map<string, string>();
	const textOf = (path: string) => (files.has(path) ? files.text(path) : "");

	function hold(path: string): LockAttempt {
		const reason = broken.get(path);
		if (reason !== undefined) return { kind: "cannot-open", reason };
		const found = files.lstat(path);
		if (found.kind === "ok" && found.stat.kind === "symlink")
			return { kind: "cannot-open", reason: "ELOOP" };
		if (held.has(path)) return { kind: "held", text: textOf(path) };
		if (!files.has(path)) files.seed(path, "", { mode: 0o640 });
		held.add(path);
		let mine = true;
		return {
			kind: "acquired",
			lock: {
				path,
				write: (text) => {
					files.seed(path, text, { mode: 0o640 });
					return { kind: "ok" };
				},
				read: () => files.read(path),
				release: () => {
					if (mine) held.delete(path);
					mine = false;
				},
			},
		};
	}

	return {
		hold,
		probe: (path) => {
			const reason = broken.get(path);
			if (reason !== undefined) return { kind: "cannot-open", reason };
			return held.has(path)
				? { kind: "held", text: textOf(path) }
				: { kind: "free" };
		},
		acquireWithin: async (path, ms, signal) => {
			const end = clock.monoMs() + ms;
			for (;;) {
				const got = hold(path);
				if (got.kind !== "held") return got;
				const left = end - clock.monoMs();
				if (left <= 0) return got;
				const how = await clock.sleep(Math.min(POLL_MS, left), signal);
				if (how === "aborted") return got;
			}
		},
		takenElsewhere: (path, text = "") => {
			files.seed(path, text);
			held.add(path);
			return () => held.delete(path);
		},
		cannotOpen: (path, reason) => {
			broken.set(path, reason);
		},
		canOpen: (path) => {
			broken.delete(path);
		},
		heldPaths: () => [...held].sort(),
	};
}
