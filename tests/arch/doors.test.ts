/** The world is touched through doors only (architecture, rule 2). */

import { placeOf } from "./floors.ts";
import { enforce } from "./law.ts";
import { product } from "./sources.ts";

const outsideDoors = product.filter(
	({ path }) => !path.startsWith("monitor/_sys/"),
);
const belowFaces = outsideDoors.filter(
	({ path }) => placeOf(path)?.floor !== 4,
);
const WHY =
	"a duty that reaches around its doors cannot be simulated, guarded or timed out";

enforce({
	law: "only the clock door knows the time",
	why: WHY,
	files: outsideDoors,
	forbidden: /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(/,
});

enforce({
	law: "only the clock door waits",
	why: WHY,
	files: outsideDoors,
	forbidden:
		/\bset(?:Timeout|Interval|Immediate)\(|\bBun\.sleep(?:Sync)?\(|\bAbortSignal\.timeout\(/,
});

enforce({
	law: "only the random door rolls dice",
	why: WHY,
	files: outsideDoors,
	forbidden: /\bMath\.random\(|\brandom(?:UUID|Bytes|Int)\(/,
});

enforce({
	law: "only the process door starts, signals or looks at processes",
	why: WHY,
	files: outsideDoors,
	forbidden:
		/\bBun\.(?:spawn|spawnSync|which|\$)|\bprocess\.kill\(|["']node:child_process["']|["'`]\/proc\//,
});

enforce({
	law: "only the file door touches the disk",
	why: WHY,
	files: outsideDoors,
	forbidden:
		/\b(?:from|import\(|require\()\s*["'](?:node:)?fs(?:\/promises)?["']|\bBun\.(?:file|write)\(/,
});

enforce({
	law: "only doors and faces see the environment, the arguments and the exit",
	why: "what a function needs is an argument of it",
	files: belowFaces,
	forbidden:
		/\bprocess\.(?:env|argv|exit|cwd|chdir|stdout|stdin|on|umask)\b|\bBun\.(?:env|argv)\b/,
});

enforce({
	law: "only the GitHub door fetches",
	why: WHY,
	files: outsideDoors,
	// A server's own `fetch` method is the other end of the wire.
	forbidden: /(?<![.\w]|async )fetch\(/,
});

enforce({
	law: "only faces build the real doors",
	why: "whoever builds doors cannot be given others",
	files: belowFaces,
	forbidden: /\brealDoors\(/,
});

enforce({
	law: "nobody but the tmux door runs tmux",
	why: "one argv builder, one limit, one reading of an empty answer",
	files: product.filter(({ path }) => !/^monitor\/_sys\/tmux/.test(path)),
	// An argv that begins with it, or a shell line.
	forbidden:
		/\[\s*["'`]tmux["'`]\s*,\s*(?:["'`]|\.\.\.)|["'`;&|(]\s*tmux (?:-\w|[a-z]+-[a-z]+)/,
});

enforce({
	law: "only _delivery pastes",
	why: "one gate: liveness, overlay, draft and look are checked there and nowhere else",
	files: product.filter(
		({ path }) =>
			!path.startsWith("monitor/_delivery/") &&
			!/^monitor\/_sys\/(doors-tmux|tmux-commands)\.ts$/.test(path),
	),
	forbidden: /paste-buffer/,
});

enforce({
	law: "nothing is killed by name",
	why: "a pattern once matched the watcher's own command line, and another four unrelated services",
	files: product,
	forbidden: /\b(?:pkill|killall|pgrep)\b/,
});

enforce({
	law: "nobody ends a tmux server",
	why: "everything of the operator's lives in it",
	files: product,
	forbidden: /kill-server/,
});
