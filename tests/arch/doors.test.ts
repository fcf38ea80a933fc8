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
	breaks: ["const t = Date.now();", "new Date()", "const d = new Date( );"],
	allows: [
		"clock.now()",
		"new Date(seconds * 1000)",
		"// Date.now()",
		"/* new Date() */ x",
	],
});

enforce({
	law: "only the clock door waits",
	why: WHY,
	files: outsideDoors,
	forbidden:
		/\bset(?:Timeout|Interval|Immediate)\(|\bBun\.sleep(?:Sync)?\(|\bAbortSignal\.timeout\(/,
	breaks: ["setTimeout(f, 1)", "await Bun.sleep(5);", "AbortSignal.timeout(5)"],
	allows: ["clock.sleep(5)", "doors.clock.after(5, f)"],
});

enforce({
	law: "only the random door rolls dice",
	why: WHY,
	files: outsideDoors,
	forbidden: /\bMath\.random\(|\brandom(?:UUID|Bytes|Int)\(/,
	breaks: ["Math.random()", "crypto.randomUUID()"],
	allows: ["random.float()", "random.uuid()"],
});

enforce({
	law: "only the process door starts, signals or looks at processes",
	why: WHY,
	files: outsideDoors,
	forbidden:
		/\bBun\.(?:spawn|spawnSync|which|\$)|\bprocess\.kill\(|["']node:child_process["']|["'`]\/proc\//,
	breaks: [
		'Bun.spawn(["x"])',
		"await Bun.$`ls`",
		"process.kill(1, 0)",
		'import { spawn } from "node:child_process";',
		'readFileSync("/proc/1/stat")',
	],
	allows: ['proc.exec(["x"], opts)', 'proc.signal(pid, "SIGTERM")'],
});

enforce({
	law: "only _sys asks the system who runs us",
	why: "an account without a row in /etc/passwd makes these throw",
	files: product.filter(({ path }) => path !== "monitor/_sys/user-home.ts"),
	forbidden: /\b(?:homedir|userInfo)\(/,
	breaks: ["env.HOME || homedir()", "userInfo().username"],
	allows: ["userHome(env)"],
});

enforce({
	law: "only the file door touches the disk",
	why: WHY,
	files: outsideDoors,
	forbidden:
		/\b(?:from|import\(|require\()\s*["'](?:node:)?fs(?:\/promises)?["']|\bBun\.(?:file|write)\(/,
	breaks: [
		'import { readFileSync } from "node:fs";',
		'const fs = await import("node:fs/promises");',
		'Bun.file("x")',
		'Bun.write("x", "y")',
	],
	allows: ['files.read("x")', 'row("fs", "OK")'],
});

enforce({
	law: "only doors and faces see the environment, the arguments and the exit",
	why: "what a function needs is an argument of it",
	files: belowFaces,
	forbidden:
		/\bprocess\.(?:env|argv|exit|cwd|chdir|stdout|stdin|on|umask)\b|\bBun\.(?:env|argv)\b/,
	breaks: [
		"process.env.HOME",
		"process.exit(1)",
		'process.stdout.write("x")',
		"Bun.env.X",
	],
	allows: ["proc.env.HOME", "doors.proc.env"],
});

enforce({
	law: "only the GitHub door fetches",
	why: WHY,
	files: outsideDoors,
	// A server's own `fetch` method is the other end of the wire.
	forbidden: /(?<![.\w]|async )fetch\(/,
	breaks: ['await fetch("http://x")', "const r = fetch(url)"],
	allows: ["async fetch(request) {}", "github.fetch(x)", "prefetch(x)"],
});

enforce({
	law: "only faces build the real doors",
	why: "whoever builds doors cannot be given others",
	files: belowFaces,
	forbidden: /\brealDoors\(/,
	breaks: ["const doors = realDoors();"],
	allows: ["type RealDoors = 1"],
});

enforce({
	law: "nobody but the tmux door runs tmux",
	why: "one argv builder, one limit, one reading of an empty answer",
	files: product.filter(({ path }) => !/^monitor\/_sys\/tmux/.test(path)),
	except: {
		"monitor/watcher/_respawn/launcher.ts":
			"the shell that it renders runs in the new window and speaks of its own pane",
		"monitor/_fleet/ssh.ts":
			"a line for the shell of another machine, over SSH",
		"monitor/_emit/component-drift-blocks.ts":
			"a recipe that a person reads and pastes",
		"monitor/_fleet/thrum/": "`tmux` is a verb of thrum's own",
	},
	// An argv that begins with it, or a shell line.
	forbidden:
		/\[\s*["'`]tmux["'`]\s*,\s*(?:["'`]|\.\.\.)|["'`;&|(]\s*tmux (?:-\w|[a-z]+-[a-z]+)/,
	breaks: [
		'exec(["tmux", "-u", "list-panes"])',
		'exec(["tmux", ...words])',
		'sh("tmux kill-window -t @1")',
		'run("cd x; tmux -L y ls")',
	],
	allows: [
		'pairs.push(["tmux", known.tmux])',
		'"tmux is not installed"',
		'Pick<Doors, "tmux" | "proc">',
		'proc.which("tmux")',
	],
});

enforce({
	law: "only _delivery pastes",
	why: "one gate: liveness, overlay, draft and look are checked there and nowhere else",
	files: product.filter(
		({ path }) =>
			!path.startsWith("monitor/_delivery/") &&
			!/^monitor\/_sys\/(doors-tmux|tmux-commands|tmux-refusals)\.ts$/.test(
				path,
			),
	),
	forbidden: /paste-buffer/,
	breaks: ['{ kind: "paste-buffer" }'],
	except: {
		"monitor/_ng/spawn-decision/decide.ts":
			"a word of the answer that it prints",
	},
});

enforce({
	law: "only _delivery sends keys, and each is one of its sequences",
	why: "a key answers whatever is on the screen: it is looked at right before, in one place",
	files: product.filter(
		({ path }) =>
			!/^monitor\/(_delivery\/(submit|press)|_sys\/(doors-tmux|tmux-commands))\.ts$/.test(
				path,
			),
	),
	except: {
		"monitor/_spawn/window.ts":
			"it types the launcher's name into the shell of a window that it made a moment ago",
	},
	forbidden: /kind:\s*["'`]send-keys["'`]/,
	breaks: ['tmux.run({ kind: "send-keys", target, keys: ["Enter"] })'],
	allows: ['step: "send-keys-enter"'],
});

enforce({
	law: "nothing is killed by name",
	why: "a pattern once matched the watcher's own command line, and another four unrelated services",
	files: product,
	forbidden: /\b(?:pkill|killall|pgrep)\b/,
	breaks: ['exec(["pkill", "-f", "x"])', 'sh("killall x")'],
	allows: ["skilled"],
	except: {
		"monitor/_svc/cockpit/endpoint.ts":
			"recognises an operator's check that looks for a process, to show its pid; it signals nobody",
		"monitor/_services/process-turn.ts":
			"recognises an operator's checks that look for processes, to run one at a time; it signals nobody",
	},
});

enforce({
	law: "nobody ends a tmux server",
	why: "everything of the operator's lives in it",
	files: product,
	forbidden: /kill-server/,
	breaks: ['tmux.run("kill-server")'],
	allows: ["kill-session"],
});
