/**
 * The whole loop with nobody at the keyboard: a comment of the operator's is taken on, done by a worker, reported,
 * cleared up and shown on the dashboard. The model is a script, and every command line it runs is read from the prompt
 * and the skills: what they teach works, or this fails.
 */
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { OPERATOR } from "../github/rig.ts";
import type { ModelReply, ModelRule } from "../support/model-server.ts";
import {
	TARGET,
	withOrchestratorWorld,
} from "../support/orchestrator-world.ts";
import { type RealGitHub, startRealGitHub } from "../support/real-github.ts";
import { waitUntil } from "../support/wait-until.ts";
import { taughtLine } from "../texts/commands.ts";

const PROMPT = "monitor/agent-prompt.md";
const WINDOW = "cache-sizes";
const WISH = "Please measure the cache sizes.";
const skill = (name: string) => `skills/nexus.${name}/SKILL.md`;

const shell = (
	description: string,
	lines: readonly string[],
	gate?: string,
): ModelReply => ({
	kind: "tool",
	name: "Bash",
	input: { description, command: ["set -e", ...lines].join("\n") },
	...(gate === undefined ? {} : { gate }),
});
const said = (text: string): ModelReply => ({ kind: "text", text });
const wake = taughtLine(PROMPT, "bootstrap.ts");

/** Gets the dashboard, changes it with `sed`, checks it and puts it back. */
function dashboard(change: string): readonly string[] {
	const line = (verb: string) =>
		taughtLine(skill("dashboard"), `ng dashboard ${verb}`, { path: "dash.md" });
	return [
		`${line("get")} > was.md`,
		`sed ${change} was.md > dash.md`,
		line("validate"),
		line("put"),
	];
}

/** A new orchestrator sees that a watcher runs and makes the overview. */
const firstPass: readonly ModelReply[] = [
	shell("First pass", [
		taughtLine(PROMPT, "pane-state.ts --all"),
		`${taughtLine(PROMPT, "watcher/launcher.ts")} || echo "one runs"`,
		"{ echo '<!-- NEXUS_DASHBOARD_START -->'",
		taughtLine(skill("dashboard"), "dashboard scaffold"),
		"echo '<!-- NEXUS_DASHBOARD_END -->'; } > overview.md",
		taughtLine(skill("dashboard"), "issue create", { path: "overview.md" }),
		taughtLine(skill("dashboard"), "--upsert-overview"),
	]),
	said("I know where I am."),
];

function handOut(issue: string, comment: string): readonly ModelReply[] {
	const task = "work/cache-sizes.task.md";
	return [
		shell("Take the comment on", [
			wake,
			taughtLine(PROMPT, "ng process <", { "comment-id": comment }),
			`${taughtLine(PROMPT, "spawn-decision", { window: WINDOW })} || true`,
		]),
		shell("Start a worker", [
			`mkdir -p work/${WINDOW}`,
			`echo 'Do what comment ${comment} on issue ${issue} asks.' > ${task}`,
			taughtLine(skill("tmux-spawn"), "spawn-worker.ts -n", {
				window: WINDOW,
				workdir: `"$NEXUS_ROOT"/work/${WINDOW}`,
				"prompt-file": task,
			}),
			taughtLine(PROMPT, "--event delegated", {
				"what and why": `${WINDOW} for comment ${comment}`,
			}),
			...dashboard(`'/^## In-flight/a - ${WINDOW}, issue ${issue}'`),
		]),
		said("A worker is on it."),
	];
}

function work(issue: string, comment: string): readonly ModelReply[] {
	const fill = {
		n: issue,
		"comment-id": comment,
		slug: WINDOW,
		report: '"$(cat report.path)"',
		"why its result can be trusted": "it only measured",
	};
	const line = (needle: string) => taughtLine(skill("report"), needle, fill);
	const sections = [
		"Summary",
		"What Was Done",
		"Current State",
		"What Remains",
		"How to Resume",
	].flatMap((title) => [
		`## ${title}`,
		"",
		"Three caches were measured. ".repeat(8),
		"",
	]);
	return [
		shell("Report", [
			`${line("report-init")} > report.path`,
			"sed -e 's/^status: .*/status: completed/' -e '/^# /q' \"$(cat report.path)\" > filled.md",
			`cat >> filled.md <<'END'\n\n${sections.join("\n")}\nEND`,
			'mv filled.md "$(cat report.path)"',
			line("report-check"),
		]),
		shell("Hand over", [line("wrap-up")]),
		said("Handed over."),
	];
}

/** Thinks until the test lets it: a worker that has just handed over is still in its turn. */
const clearUp: readonly ModelReply[] = [
	shell(
		"Close the window",
		[
			wake,
			taughtLine(skill("window-cleanup"), "wrap-up-check", { window: WINDOW }),
			taughtLine(skill("window-cleanup"), "decision-ack", { window: WINDOW }),
			taughtLine(skill("window-cleanup"), "ng retire-window", {
				window: WINDOW,
				why: "wrapped up",
			}),
			...dashboard(
				`-e '/^- ${WINDOW}/d' -e '/^## Recent landings/a - ${WINDOW}: measured'`,
			),
		],
		"the worker rests",
	),
	said("Cleared up."),
];

const rules: readonly ModelRule[] = [
	{ when: "respawned as a fresh session", replies: firstPass },
	{
		when: RegExp(`\\bissue=(\\d+) id=(\\d+) author=${OPERATOR}\\b`),
		replies: (issue = "", comment = "") => handOut(issue, comment),
	},
	{
		when: /comment (\d+) on issue (\d+) asks/,
		replies: (comment = "", issue = "") => work(issue, comment),
	},
	{ when: /^\+\S+_cache-sizes\.md$/m, replies: clearUp },
];

test("from the operator's comment to a closed window and a dashboard that says so", async () => {
	const stood: { github?: RealGitHub } = {};
	const env = { MONITOR_INTERVAL_SECONDS: "10" };
	const prepare = (fleet: Parameters<typeof startRealGitHub>[0]) => {
		stood.github = startRealGitHub(fleet);
		standAsInstalled(fleet.root);
	};
	try {
		await withOrchestratorWorld({ env, rules, prepare }, async (world) => {
			const github = stood.github as RealGitHub;
			const screens = () =>
				`${world.state("watcher.log").slice(-3000)}\n${world.tmux.run("capture-pane", "-p", "-S", "-200", "-t", `fleet:${TARGET}`)}`;
			const until = (what: string, holds: () => boolean) =>
				waitUntil(what, holds, { limitMs: 60_000, describe: screens });
			const log = () => world.state("action-log.jsonl");
			const [repo] = github.place.state.repos;
			const overview = () =>
				repo?.issues.find((issue) => issue.labels.includes("nexus:overview"))
					?.body ?? "";

			await until("the first pass", () =>
				overview().includes("## Nexus Identity"),
			);

			const [pid] = world.orchestrators();
			expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain(
				"# You are the orchestrator",
			);

			const id = github.say(WISH);
			await until("a worker", () =>
				log().includes(`"event":"spawn","window":"${WINDOW}"`),
			);
			await until("the hand-over", () => log().includes('"event":"wrap-up"'));
			await until("the worker to rest", () =>
				world.state(`heartbeat/${WINDOW}.json`).includes("last_turn_end"),
			);
			world.model.release("the worker rests");
			await until("the close", () =>
				log().includes(`"event":"window-close","window":"${WINDOW}"`),
			);
			await until("the dashboard", () =>
				overview().includes(`- ${WINDOW}: measured`),
			);

			expect(overview()).not.toContain(`- ${WINDOW}, issue`);
			expect(world.tmux.run("list-windows", "-a")).not.toContain(WINDOW);
			const comments = repo?.comments ?? [];
			const wish = comments.find((comment) => comment.id === id);
			expect(wish?.reactions.map(({ content }) => content).sort()).toEqual([
				"eyes",
				"rocket",
			]);
			const answers = comments.filter((comment) =>
				comment.user.endsWith("[bot]"),
			);
			expect(answers.map(({ body }) => body)).toEqual([
				expect.stringMatching(/Full report: .*_cache-sizes\.md\n$/),
			]);
		});
	} finally {
		await stood.github?.stop();
	}
	expect(stood.github?.problems).toEqual([]);
}, 180_000);

/** As an operator has it: the programs lie below the root. */
function standAsInstalled(root: string): void {
	mkdirSync(join(root, "work"), { recursive: true });
	mkdirSync(join(root, "reports"), { recursive: true });
	for (const name of readdirSync(join(CODE_ROOT, "monitor")))
		if (name !== ".state")
			symlinkSync(
				join(CODE_ROOT, "monitor", name),
				join(root, "monitor", name),
			);
}
