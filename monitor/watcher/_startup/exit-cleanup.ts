/** What must be undone when the process ends, however it ends short of SIGKILL (contract 01 §2.1.6). */

export interface ExitCleanup {
	/** The last added is undone first. */
	readonly add: (undo: () => void) => void;
	/** Once; a second call does nothing. Synchronous, because an exiting process waits for nothing. */
	readonly run: () => void;
}

/** Undone in reverse order, each once; one that throws does not stop the others. */
export function exitCleanup(onFailure: (error: unknown) => void): ExitCleanup {
	const undos: (() => void)[] = [];
	return {
		add: (undo) => undos.push(undo),
		run: () => {
			for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
				try {
					undo();
				} catch (error) {
					onFailure(error);
				}
			}
		},
	};
}
