/** What can happen on the simulated machine. Data. */

export const WORKERS = ["w0", "w1", "w2", "w3"] as const;
export type Worker = (typeof WORKERS)[number];

export const GITHUB_FAULTS = [
	"primary",
	"secondary",
	"abuse-page",
	"unauthorized",
	"server",
	"truncated",
	"stalled-body",
	"no-answer",
	"empty",
] as const;

/** A night's work: what agents, people and GitHub do. */
export type Work =
	/** A worker writes its report, the orchestrator's inbox gets a question or a request, a window rings. */
	| { readonly do: "report"; readonly who: Worker }
	| { readonly do: "question"; readonly who: Worker }
	| { readonly do: "request" }
	| { readonly do: "bell"; readonly who: Worker }
	| { readonly do: "comment"; readonly by: "operator" | "stranger" }
	/** The orchestrator deals with the oldest open question or request. */
	| { readonly do: "ack-question" }
	| { readonly do: "ack-request" }
	| { readonly do: "turn"; readonly who: Worker; readonly ms: number }
	/** A dialog opens, and a person closes it if nobody else did. */
	| {
			readonly do: "dialog";
			readonly who: Worker | "orchestrator";
			readonly kind: "safe" | "vetoed" | "second-option" | "question";
	  }
	| { readonly do: "closes-dialogs" }
	/** A person at the orchestrator's box. */
	| { readonly do: "types" }
	| { readonly do: "erases" }
	| { readonly do: "sends" }
	| { readonly do: "restarts"; readonly who: Worker };

/** What goes wrong. */
export type Fault =
	| {
			readonly do: "github-fails";
			readonly how: (typeof GITHUB_FAULTS)[number];
			readonly times: number;
	  }
	| { readonly do: "exits"; readonly who: Worker | "orchestrator" }
	| { readonly do: "closes-window"; readonly who: Worker | "orchestrator" }
	| { readonly do: "hangs"; readonly ms: number }
	/** SIGKILL before the n-th call from now: of any door, or of those that change the disk. */
	| {
			readonly do: "kill";
			readonly calls: number;
			readonly of: "any" | "changes";
			/** An append that it dies in is half on the disk. */
			readonly torn: boolean;
	  }
	/** The machine goes off: what was never synced is gone, and it comes up again a little later. */
	| { readonly do: "power-cut" }
	/** The usage limit of one session, for so many hours. */
	| {
			readonly do: "hits-limit";
			readonly who: Worker | "orchestrator";
			readonly hours: number;
	  }
	| { readonly do: "second-watcher" }
	| { readonly do: "steps-clock"; readonly ms: number }
	| { readonly do: "suspends"; readonly ms: number }
	| { readonly do: "stalls"; readonly ms: number }
	| {
			readonly do: "tmux-fails";
			readonly op: string;
			readonly how: "hung" | "refused" | "zero-rows";
			readonly times: number;
			/** It did what it was asked for; only the answer was lost. */
			readonly late: boolean;
	  }
	| { readonly do: "tmux-dies" }
	| {
			readonly do: "disk-fails";
			readonly code: "EIO" | "ENOSPC" | "EACCES";
			readonly times: number;
	  }
	| { readonly do: "read-only"; readonly ms: number };

export type Act = Work | Fault;

const FAULTS: ReadonlySet<Act["do"]> = new Set<Fault["do"]>([
	...(["github-fails", "exits", "closes-window", "hangs", "kill"] as const),
	...(["power-cut", "hits-limit", "second-watcher", "steps-clock"] as const),
	...(["suspends", "stalls", "tmux-fails", "tmux-dies"] as const),
	...(["disk-fails", "read-only"] as const),
]);

export function isFault(act: Act): act is Fault {
	return FAULTS.has(act.do);
}
