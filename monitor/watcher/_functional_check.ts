/**
 * `functional_check`: pids and pastes say that the watcher works; whether the bot reacts to what it is told,
 * only GitHub says (contract 02 §13). Nothing is restarted for it: the operator is told.
 */
import type { GitHubApp } from "../_github/app.ts";
import type { Mark } from "../_github/eligibility.ts";
import { type GitHub, openGitHub } from "../_github/github.ts";
import { atMost } from "../_github/open-marks.ts";
import { readReactions } from "../_github/reactions.ts";
import { reactionTarget, sameBot } from "../_state/emit-block-target.ts";
import type { CommentBlock } from "../_state/emit-blocks.ts";
import { targetStem } from "../_state/emit-stem.ts";
import { appendCheckRow } from "../_state/functional-check.ts";
import { bell } from "../_sys/bell.ts";
import {
	type CheckedEmit,
	functionalCheckDecide,
	type Reaction,
} from "./_functional_check/decide.ts";
import { recentEmits } from "./_functional_check/recent-emits.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

/** Calls for reactions that one check may make; what is beyond counts as not looked at. */
const MOST_CALLS = 40;

/** Every 600 s. Exit code 1 when the delivered reports could not be read, or the run was broken off. */
export function functionalCheckTask(app: GitHubApp): TaskSpec {
	return {
		name: "functional_check",
		intervalSeconds: () => 600,
		class: "expensive",
		async: true,
		make:
			({ config, stateDir }) =>
			async (run) => {
				const { doors, signal } = run;
				const sla = config["monitor.functional_sla_seconds"];
				const hasBot = config["github.bot_login"] !== "";
				const gitHub = openGitHub({ doors, app, stateDir });
				const emits =
					sla > 0 && hasBot
						? await checkedEmits(run, { config, stateDir }, gitHub)
						: [];
				if (emits === null || signal.aborted) return { rc: 1 };
				const { text, row } = functionalCheckDecide({
					slaSeconds: sla,
					hasBot,
					emits,
				});
				if (row !== null) appendCheckRow(doors, stateDir, row);
				if (text.startsWith("stale")) {
					doors.log.warn(`functional-check FIRED: ${text}`);
					void bell(doors.proc, `watcher: functional check stale (${text})`);
				}
				return { rc: 0 };
			},
	};
}

/** Null: could not look at the archive. */
async function checkedEmits(
	{ doors, signal }: TaskRun,
	{ config, stateDir }: Pick<WatcherContext, "config" | "stateDir">,
	gitHub: GitHub,
): Promise<readonly CheckedEmit[] | null> {
	const sla = config["monitor.functional_sla_seconds"];
	const emits = recentEmits(doors, stateDir, {
		most: config["monitor.functional_max_emits"],
		maxAgeSeconds: Math.max(4 * sla, 7200),
	});
	if (emits === null) return null;
	const home = config["github.repo"];
	const bot = config["github.bot_login"];
	const counted = atMost(MOST_CALLS, gitHub);
	const known = new Map<string, Reaction>();
	const checked: CheckedEmit[] = [];
	for (const { ageSeconds, comments } of emits) {
		const reactions: Reaction[] = [];
		for (const block of comments) {
			const key = targetStem(block, home);
			const said =
				known.get(key) ?? (await reactionOf(counted, block, home, bot, signal));
			known.set(key, said);
			reactions.push(said);
		}
		checked.push({ ageSeconds, reactions });
	}
	return checked;
}

async function reactionOf(
	gitHub: Pick<GitHub, "get">,
	block: CommentBlock,
	home: string,
	bot: string,
	signal: AbortSignal,
): Promise<Reaction> {
	const reacted = (marks: readonly Mark[]) =>
		marks.some(
			({ content, user }) =>
				(content === "EYES" || content === "ROCKET") &&
				user !== null &&
				sameBot(user, bot),
		);
	const look = await readReactions(
		gitHub,
		block.repo || home,
		reactionTarget(block),
		reacted,
		signal,
	);
	if (look.kind === "unknown") return "failed";
	return reacted(look.marks) ? "reacted" : "silent";
}
