/** A watcher's comments from GitHub to the pane: the real sources over HTTP to a stand-in, everything else in memory. */
import { join } from "node:path";
import type { PasteRc } from "../../monitor/_emit/ladder.ts";
import { sectionLines } from "../../monitor/_emit/sections.ts";
import { parseBlocks } from "../../monitor/_state/emit-blocks.ts";
import { addProcessed } from "../../monitor/_state/processed-comments.ts";
import { gitHubWiring } from "../../monitor/watcher/github-wiring.ts";
import { emitRig, ROOT, STATE } from "../emit/emit-rig.ts";
import {
	CACHE_PATH,
	KEY_PATH,
	OPERATOR,
	openRig,
	REPO,
} from "../github/rig.ts";

export const OTHER = "acme/other";

/** One GitHub, one disk, and one watcher process after the other. */
export function openNight(
	over: NonNullable<Parameters<typeof emitRig>[0]>["config"] = {},
) {
	const rig = openRig({ stateDir: STATE });
	const { doors, standIn } = rig;
	const { acts } = standIn;
	acts.createRepo(OTHER);
	for (const repo of [REPO, OTHER])
		acts.openIssue(repo, { user: "somebody", title: "One" });
	doors.tmux.window("orchestrator");
	let watcher = startWatcher();

	function startWatcher() {
		const process = emitRig({
			after: doors,
			config: {
				"github.repo": REPO,
				"github.user_login": OPERATOR,
				"github.bot_login": "hub-bot",
				"github.api_url": standIn.url,
				"github.bot_app_id": "123",
				"github.bot_installation_id": "456",
				"github.bot_pem_path": KEY_PATH,
				"github.bot_token_cache": CACHE_PATH,
				"monitor.watcher.self_heal_enabled": false,
				...over,
			},
			further: {
				composeGhNow: (run) => wiring.comments(process.ctx).composeGhNow(run),
			},
			pollSources: (place, run) => wiring.pollSources(place, run),
		});
		const made = gitHubWiring({ config: process.ctx.config, root: ROOT });
		if (made === null) throw new Error("GitHub is off");
		const wiring = made;
		const tasks = wiring.tasks(process.deps);
		return { ...process, wiring, tasks };
	}

	async function run(name: string, rc: PasteRc = 0): Promise<void> {
		watcher.ends.splice(0, watcher.ends.length, rc);
		const task = watcher.tasks.find((one) => one.name === name);
		if (task === undefined) throw new Error(`no task ${name}`);
		await watcher.run(task);
		watcher.ends.splice(0);
	}

	return {
		...rig,
		acts,
		run,
		/** Ids in each body that was pasted, and in each that was tried, since the last call. */
		take: () => ({
			pasted: watcher.pasted.splice(0).map(idsIn),
			tried: watcher.tried.splice(0).map(idsIn),
		}),
		/** What was pasted since the last call. */
		bodies: () => {
			watcher.tried.splice(0);
			return watcher.pasted.splice(0);
		},
		/** The watcher dies, and another one starts: its first report is pasted with this code. */
		restart: async (rc: PasteRc) => {
			doors.clock.stall(2000);
			const { pasted, tried } = watcher;
			watcher = startWatcher();
			watcher.pasted.push(...pasted);
			watcher.tried.push(...tried);
			watcher.ends.push(rc);
			await watcher.sweep();
			watcher.ends.splice(0);
		},
		/** It dies between taking its comments and pasting them. */
		dieWithComments: async () => {
			const signal = new AbortController().signal;
			await watcher.wiring
				.comments(watcher.ctx)
				.composeGhNow({ doors, signal });
		},
		logged: (words: string) =>
			doors.log.messages().some((line) => line.includes(words)),
		archived: () =>
			doors.files.paths(join(STATE, "diffs")).map((p) => doors.files.text(p)),
		say: (repo: string, body: string, user = OPERATOR) =>
			acts.comment(repo, 1, user, body),
		/** What `ng process` leaves behind. */
		acknowledge: (repo: string, id: number) => {
			const found = standIn.place.state.repos
				.find((one) => one.fullName === repo)
				?.comments.find((one) => one.id === id);
			if (found === undefined) throw new Error(`no comment ${id}`);
			acts.react(found, "hub-bot[bot]", "eyes");
			addProcessed(doors.files, STATE, [`comment:${id}`]);
		},
		wait: (seconds: number) => doors.clock.stall(seconds * 1000),
	};
}
export type Night = ReturnType<typeof openNight>;

/** Ids of the comments that a report tells. */
export function idsIn(body: string): readonly string[] {
	return parseBlocks(sectionLines(body, "gh").join("\n")).flatMap((block) =>
		block.kind === "comment" ? [block.id] : [],
	);
}
