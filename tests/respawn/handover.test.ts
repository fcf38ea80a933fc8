/** What a new orchestrator is told: its brief, and how things stand (contract 04 §14, §15). */
import { beforeEach, describe, expect, test } from "bun:test";
import { unreadReports } from "../../monitor/_delivery/unread-reports.ts";
import {
	renderFresh,
	renderResume,
} from "../../monitor/watcher/_respawn_prompts.ts";
import { spawnFresh } from "../../monitor/watcher/_spawn_fresh.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { STATE } from "../watcher/watcher-rig.ts";
import { HOME, type RespawnWorld, respawnWorld, SID } from "./respawn-world.ts";

let doors: FakeDoors;
let text: RespawnWorld["text"];
beforeEach(() => {
	({ doors, text } = respawnWorld());
});

describe("the brief", () => {
	const facts = {
		reason: "gone",
		target: "orchestrator",
		root: "/root",
		codeRoot: "/code",
		armCommand: "ARM",
	};
	test("of a resume names the session; of a fresh start says that there is no context", () => {
		expect(renderResume(facts, SID)).toContain(`claude --resume ${SID}`);
		expect(renderFresh(facts)).toContain("could not be identified");
	});
	test("of a resume names the reports that waited behind its last turn, by their archived copies", () => {
		const signature = "nexus-emit-sig 2026-01-01T12:00:00+00:00 a1b2c3";
		const doors = fakeDoors({ proc: { env: { HOME: "/home/op" } } });
		const { files } = doors;
		const content = `--- ${signature} ---`;
		const record = { type: "queue-operation", operation: "enqueue", content };
		const transcript = `/home/op/.claude/projects/-root/${SID}.jsonl`;
		files.seed(transcript, `${JSON.stringify(record)}\n`);
		expect(unreadReports(doors, "/s", [SID])).toEqual([]);
		const path = "/s/diffs/2026-01-01_12-00-00_0f0f0f.md";
		files.seed(path, `${content}\n`);
		files.seed("/s/diffs/2026-01-01_12-00-01_0f0f0f.md", "another\n");
		const unread = unreadReports(doors, "/s", [SID]);
		expect(unread).toEqual([{ path, signature }]);
		const brief = renderResume(facts, SID, unread);
		expect(brief).toContain(`   - ${path} (${signature})\n`);
		expect(renderResume(facts, SID)).not.toContain("these reports");
		const fresh = renderFresh(facts, undefined, unread);
		expect(fresh).toContain("The one before you was also given these reports");
		expect(fresh).toContain(`   - ${path} (${signature})\n`);
		expect(renderFresh(facts)).not.toContain("these reports");
		// Once it was named, the next brief is silent about it.
		const told = {
			type: "user",
			promptSource: "typed",
			message: { content: brief },
		};
		files.seed(
			transcript,
			`${JSON.stringify(record)}\n${JSON.stringify(told)}\n`,
		);
		expect(unreadReports(doors, "/s", [SID])).toEqual([]);
	});
	test("of a fresh start in place of a session names that session", () => {
		expect(renderFresh(facts, SID)).toContain(`claude --resume ${SID}`);
	});

	test.each([renderFresh(facts), renderResume(facts, SID)])(
		"lets one of two stand down before it arms anything",
		(brief) => {
			expect(brief).toContain(
				"log-action watcher --event respawn-false-positive",
			);
			expect(brief.indexOf("ARM")).toBeGreaterThan(brief.indexOf("stand down"));
			expect(brief).not.toContain("--continue");
		},
	);
});

describe("the replacement of a wedged orchestrator", () => {
	const replace = async (target: string, rc = 0, previousSid = SID) => {
		const started: unknown[] = [];
		const end = await spawnFresh(
			{
				doors,
				home: HOME,
				configuredTarget: "orchestrator",
				armCommand: "ARM",
				chooseMode: () => ({ kind: "resume", sessionId: SID }),
				respawn: async (window, mode, file) => {
					started.push([window, mode.kind, doors.files.text(file)]);
					return { rc, why: "no room", windowId: "@9" };
				},
			},
			{ target, reason: "wedged", previousSid, fresh: false },
		);
		return { end, started: started[0] as readonly string[] };
	};

	test("resumes, tells how things stand, and starts the pause whatever came of it", async () => {
		const { end, started } = await replace("orchestrator", 3);
		expect(end).toBe(3);
		expect(doors.log.lines.map(({ msg }) => msg)).toContain(
			"replacement of 'orchestrator': no room",
		);
		expect(started.slice(0, 2)).toEqual(["orchestrator", "resume"]);
		const report = text("orchestrator-fresh-spawn.last-report.md");
		expect(report).not.toContain("## Reports that the session before");
		expect(started[2]).toBe(report);
		for (const head of [
			"## Recovery context",
			"## Current tmux windows",
			"## In-flight worker windows vs. recent reports",
			"## Recent reports (top 5 by mtime)",
			"## Dashboard pointer",
			"## Latest watcher emit signature",
			"## Suggested first checks",
		])
			expect(report).toContain(`\n${head}\n`);
		expect(text("orchestrator-fresh-spawn.last")).toBe(
			`${doors.clock.now()}\n`,
		);
		expect(text("action-log.jsonl")).toContain("orchestrator-fresh-spawn");
	});

	test("names what the session before was given and never read", async () => {
		const signature = "nexus-emit-sig 2026-01-01T12:00:00+00:00 a1b2c3";
		const content = `=== nexus ===\n--- ${signature} ---`;
		const record = { type: "queue-operation", operation: "enqueue", content };
		doors.files.seed(
			`/home/op/.claude/projects/-root/${SID}.jsonl`,
			`${JSON.stringify(record)}\n`,
		);
		const path = `${STATE}/diffs/2026-01-01_12-00-00_0f0f0f.md`;
		doors.files.seed(path, content);
		const { started } = await replace("orchestrator");
		expect(started[2]).toContain("\n## Reports that the session before");
		expect(started[2]).toContain(`\n- ${path} (${signature})\n`);
	});

	test.each([
		[SID, "The one before you was replaced, for the reason below."],
		["", "No session before yours is known here."],
	])(
		"a fresh one after '%s' is told no more than is known",
		async (previous, says) => {
			const { started } = await replace("other", 0, previous);
			expect(started[2]).toContain(says);
			expect(started[2]).toContain("- Reason: wedged\n");
		},
	);

	test("resumes into no window but the orchestrator's", async () => {
		const { started } = await replace("other");
		expect(started[1]).toBe("fresh");
		expect(doors.log.messages().join("\n")).toContain("REFUSED to resume");
	});
});
