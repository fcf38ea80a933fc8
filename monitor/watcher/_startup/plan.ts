/**
 * May this watcher start, and in which steps (contract 01 §2.1)? Pure. The order is the contract's: a launcher polls
 * the pidfile and looks at the heartbeat the instant it appears, and a doomed start must not touch a live watcher's files.
 */
import { programName } from "../../_sys/names.ts";
import type { WatcherArgs } from "./args.ts";

export interface StartupFacts {
	/** Another process that is, or may be, this state dir's watcher. */
	readonly otherWatcher: number | null;
	readonly config:
		| { readonly kind: "ok" }
		| { readonly kind: "refused"; readonly lines: readonly string[] };
	readonly args: WatcherArgs;
	/** The window we run in, when it is the very one we are to watch. */
	readonly ownTarget: {
		readonly windowId: string;
		readonly name: string;
		readonly orchestrator: "yes" | "no" | "unknown";
	} | null;
}

/** Exit codes: 1 cannot start, 2 bad flag value, 3 watcher lock held, 4 instance lock held. */
export interface Refusal {
	readonly kind: "refused";
	readonly exit: 1 | 2 | 3 | 4;
	readonly lines: readonly string[];
	/** Give this window a name that says what it is, so that nobody pastes reports into it. */
	readonly renameWindow?: { readonly id: string; readonly name: string };
	/** Worth ringing for: nothing watches until the operator acts. */
	readonly ring?: boolean;
}

const STARTUP_STEPS = [
	"make-folders",
	"instance-lock",
	"heartbeat",
	"pidfile",
	"watcher-lock",
	"sweep-stage",
	"reset-cycle",
	"ticker",
	"target-file",
	"config-hash",
	"record-source",
	"baseline",
	"announce",
	"hook-bundles",
	"sweep",
	"startup-done",
] as const;
export type StartupStep = (typeof STARTUP_STEPS)[number];

/** What a watcher that started on a read-only disk has not told anybody; done again when the disk is back. */
export const PUBLISHING_STEPS: readonly StartupStep[] = [
	"make-folders",
	"instance-lock",
	"heartbeat",
	"pidfile",
	"watcher-lock",
	"sweep-stage",
	"target-file",
	"config-hash",
	"record-source",
];

export type StartupPlan =
	| Refusal
	| {
			readonly kind: "go";
			readonly steps: readonly StartupStep[];
			readonly once: boolean;
	  };

const MISPLACED_NAME = "watcher-misplaced";

/** A refusal has its exit code and lines, and may ring the operator. `--once` starts no ticker. */
export function planStartup(f: StartupFacts): StartupPlan {
	if (f.otherWatcher !== null)
		return refuse(1, [
			`a watcher already runs here: pid ${f.otherWatcher} (\`${programName("launcher")} --replace\` replaces it)`,
		]);
	if (f.config.kind === "refused")
		return {
			...refuse(1, [...f.config.lines, "REFUSING to start"]),
			ring: true,
		};
	if (f.args.kind === "refused") return refuse(f.args.exit, [f.args.line]);
	if (f.ownTarget !== null) return refuseOwnWindow(f.ownTarget);
	const { once } = f.args;
	return {
		kind: "go",
		// A single pass is over before a ticker's first beat.
		steps: STARTUP_STEPS.filter((step) => !(once && step === "ticker")),
		once,
	};
}

function refuseOwnWindow(own: NonNullable<StartupFacts["ownTarget"]>): Refusal {
	const refusal = refuse(1, [
		`this watcher runs inside window '${own.name}', the one it is to watch: it would paste reports into itself`,
	]);
	// Only a window that provably holds no orchestrator loses its name.
	return own.orchestrator === "no"
		? {
				...refusal,
				renameWindow: { id: own.windowId, name: MISPLACED_NAME },
			}
		: refusal;
}

function refuse(exit: Refusal["exit"], lines: readonly string[]): Refusal {
	return { kind: "refused", exit, lines };
}
