/** What can happen on the simulated machine. Data. */

export const WORKERS = ["w0", "w1", "w2", "w3"] as const;
export type Worker = (typeof WORKERS)[number];
export const SERVICES = ["docs", "tunnel"] as const;
export type Service = (typeof SERVICES)[number];

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

export const GARBAGE = ["noise", "nothing", "half", "zeros", "json"] as const;
export const BAD_CONFIGS = ["syntax", "value", "gone", "writable"] as const;
export const PROC_FAULTS = [
	"unreadable",
	"no-spawn",
	"exec-hangs",
	"exec-killed",
	"exec-fails",
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
	| { readonly do: "restarts"; readonly who: Worker }
	/** The orchestrator asks whether it may, and ends a worker. */
	| { readonly do: "retires"; readonly who: Worker };

/** What goes wrong. */
export type Fault =
	| {
			readonly do: "github-fails";
			readonly how: (typeof GITHUB_FAULTS)[number];
			readonly times: number;
	  }
	| { readonly do: "exits"; readonly who: Worker | "orchestrator" }
	| { readonly do: "closes-window"; readonly who: Worker | "orchestrator" }
	/** GitHub's newest event is not delivered, or twice. */
	| { readonly do: "webhook"; readonly how: "lost" | "repeated" }
	/** Its turns do not end for so long; absent: the orchestrator's. */
	| { readonly do: "hangs"; readonly who?: Worker; readonly ms: number }
	/** Its turn ends with an error. */
	| { readonly do: "crashes"; readonly who: Worker | "orchestrator" }
	/** Right after the next look at its screen something stands there that was not seen. */
	| {
			readonly do: "surprises";
			readonly who: Worker | "orchestrator";
			readonly with: "dialog" | "draft";
	  }
	| { readonly do: "service-dies"; readonly which: Service }
	| { readonly do: "service-sickens"; readonly which: Service }
	/** Runs of the fleet's job that begin meanwhile do not end. */
	| { readonly do: "job-hangs"; readonly ms: number }
	| {
			readonly do: "service-hangs";
			readonly which: Service;
			readonly ms: number;
	  }
	/** SIGKILL before the n-th call from now of any door, or before the n-th step that changes the disk. */
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
	/** tmux prints half of its answer and says that all is well. */
	| { readonly do: "tmux-halves"; readonly times: number }
	| { readonly do: "tmux-dies" }
	| {
			readonly do: "disk-fails";
			readonly code: "EIO" | "ENOSPC" | "EACCES";
			readonly times: number;
	  }
	| { readonly do: "read-only"; readonly ms: number }
	/** So many bytes are left for so long. */
	| { readonly do: "disk-full"; readonly bytes: number; readonly ms: number }
	/** A folder takes longer to list than anybody waits. */
	| { readonly do: "slow-disk"; readonly ms: number }
	/** A person's editor: the n-th state file holds something else now. */
	| {
			readonly do: "garbage";
			readonly nth: number;
			readonly how: (typeof GARBAGE)[number];
	  }
	| {
			readonly do: "bad-config";
			readonly how: (typeof BAD_CONFIGS)[number];
			readonly ms: number;
	  }
	| { readonly do: "locks-fail"; readonly ms: number }
	| {
			readonly do: "proc-fails";
			readonly how: (typeof PROC_FAULTS)[number];
			readonly ms: number;
	  };

export type Act = Work | Fault;

const FAULTS: ReadonlySet<Act["do"]> = new Set<Fault["do"]>([
	...(["github-fails", "exits", "closes-window", "hangs", "kill"] as const),
	...(["power-cut", "hits-limit", "second-watcher", "steps-clock"] as const),
	...(["suspends", "stalls", "tmux-fails", "tmux-dies"] as const),
	...(["disk-fails", "read-only", "disk-full", "slow-disk"] as const),
	...(["webhook", "crashes", "surprises", "tmux-halves"] as const),
	...(["service-dies", "service-sickens", "service-hangs"] as const),
	...(["job-hangs"] as const),
	...(["garbage", "bad-config", "locks-fail", "proc-fails"] as const),
]);

export function isFault(act: Act): act is Fault {
	return FAULTS.has(act.do);
}
