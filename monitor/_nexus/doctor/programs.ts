/** The programs that nexus runs or runs on: bun, tmux, git, diff, Claude Code. Decisions only. */
import { shellWord } from "../../_sys/shell-quote.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { atLeast, versionIn } from "./version.ts";

const OLDEST_BUN = "1.2.0";
const OLDEST_TMUX = "3.2";
/** `git status --porcelain=v2` came with it. */
const OLDEST_GIT = "2.11";

/** Off PATH it is a warning: nexus calls it by path, an agent's shell may not. */
export function checkBun(facts: {
	readonly version: string;
	readonly onPath: boolean;
	readonly projectBin: string;
}): Check {
	const { version, onPath, projectBin } = facts;
	if (!atLeast(version, OLDEST_BUN))
		return fail(
			"bun",
			`${version} is older than ${OLDEST_BUN}`,
			"npm install -g bun",
		);
	if (onPath) return ok("bun", version);
	return warn(
		"bun",
		`${version}, not on PATH: programs called by name from a shell will not start`,
		`npm install -g bun, or PATH=${shellWord(projectBin)}:$PATH`,
	);
}

/** `answer` is what the program says of its version; null when it is not there or does not answer. */
export function checkTmux(answer: string | null): Check {
	const install = "apt-get install tmux";
	if (answer === null) return fail("tmux", "not found", install);
	const version = versionIn(answer);
	if (version === null)
		return warn(
			"tmux",
			`'${answer}' names no version`,
			`nexus needs ${OLDEST_TMUX} or newer`,
		);
	return atLeast(version, OLDEST_TMUX)
		? ok("tmux", version)
		: fail("tmux", `${version} is older than ${OLDEST_TMUX}`, install);
}

/** `answer` is what `git --version` said; null: there is none. */
export function checkGit(answer: string | null): Check {
	const install = "apt-get install git";
	const version = answer === null ? null : versionIn(answer);
	if (version === null) return fail("git", "not found", install);
	return atLeast(version, OLDEST_GIT)
		? ok("git", version)
		: fail("git", `${version} is older than ${OLDEST_GIT}`, install);
}

/** Reports show changes by it. */
export function checkDiff(present: boolean): Check {
	return present
		? ok("diff", "present")
		: fail(
				"diff",
				"not found: no emit could show what changed",
				"apt-get install diffutils",
			);
}

/** `answer` of `claude --version`; `wanted` is the version that package.json pins. */
export function checkClaude(facts: {
	readonly answer: string | null;
	readonly wanted: string;
}): Check {
	const name = "Claude Code";
	const version = facts.answer === null ? null : versionIn(facts.answer);
	if (version === null)
		return fail(
			name,
			"not installed in this project",
			"npm ci, in the checkout",
		);
	return version === facts.wanted
		? ok(name, `${version} (project-local)`)
		: warn(
				name,
				`${version}, while package.json pins ${facts.wanted}`,
				"npm ci, in the checkout; or mind that this version is not the tested one",
			);
}

/** `answer` is what `claude auth status` prints; null when it is not there or says nothing, as an older one. */
export function checkLogin(answer: string | null): Check {
	const name = "login";
	switch (/"loggedIn":\s*(true|false)/.exec(answer ?? "")?.[1]) {
		case "true":
			return ok(name, "Claude Code has an account");
		case "false":
			return fail(
				name,
				"Claude Code has no account: the orchestrator would only say 'Please run /login'",
				"node_modules/.bin/claude auth login, in the checkout",
			);
		default:
			return warn(
				name,
				"Claude Code does not say whether it has an account",
				"start node_modules/.bin/claude once, in the checkout, and look",
			);
	}
}
