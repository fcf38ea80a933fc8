/** Finding a newer Claude Code, and telling it once. */
import { afterAll, describe, expect, test } from "bun:test";
import { ccUpdateSection } from "../../monitor/_emit/cc-update.ts";
import type { EmitSection } from "../../monitor/_emit/providers.ts";
import {
	ccUpdateAvailablePath,
	decideUpdate,
} from "../../monitor/_state/cc-update-available.ts";
import {
	ccUpdateSurfacedPath,
	readCcUpdateSurfaced,
} from "../../monitor/_state/cc-update-surfaced.ts";
import { realNet } from "../../monitor/_sys/net.ts";
import { lookForUpdate } from "../../monitor/watcher/_cc_update.ts";
import { emitRig, STATE } from "../emit/emit-rig.ts";

describe("what the answer of the registry means", () => {
	test.each([
		["2.1.10", "2.1.9", "available"],
		["2.1.9", "2.1.9", "current"],
		["2.1.8", "2.1.9", "current"],
		["3.0.0", "2.99.99", "available"],
		["2.1.9-beta.1", "2.1.9", "current"],
		["2.1.9", "2.1.9-beta.1", "available"],
		["2.1.9-beta.11", "2.1.9-beta.2", "available"],
		[null, "2.1.9", "unreachable"],
		["latest", "2.1.9", "unreachable"],
		["2.1.9; rm -rf ~", "2.1.8", "unreachable"],
		["2.1.9", null, "unknown"],
	] as const)("latest %p, in force %p: %s", (latest, effective, kind) => {
		expect(decideUpdate({ latest, effective }).kind).toBe(kind);
	});
});

type Answer = { status?: number; body: string } | "hang";
let answer: Answer = { body: "{}" };
const asked: string[] = [];
const registry = Bun.serve({
	hostname: "127.0.0.1",
	port: 0,
	async fetch(request) {
		asked.push(new URL(request.url).pathname);
		if (answer === "hang") return new Promise<Response>(() => {});
		return new Response(answer.body, { status: answer.status ?? 200 });
	},
});
afterAll(() => registry.stop(true));

/** In force: 2.1.9, by the pin. */
function rig(config: Record<string, unknown> = {}) {
	const r = emitRig({
		config: {
			MONITOR_CC_UPDATE_REGISTRY: `http://127.0.0.1:${registry.port}/`,
			...config,
		},
	});
	const { files } = r.doors;
	files.writeAtomic(`${STATE}/cc-version-local`, "2.1.9\n");
	const run = {
		signal: new AbortController().signal,
		afterGap: false,
		log: () => {},
		// Time stands still while a real server answers.
		doors: {
			...r.doors,
			net: realNet(),
			clock: { ...r.doors.clock, after: () => () => {} },
		},
	};
	const signal = () => {
		const read = files.read(ccUpdateAvailablePath(STATE));
		return read.kind === "ok" ? read.text : null;
	};
	return {
		...r,
		run,
		signal,
		files,
		look: async (says: Answer) => {
			answer = says;
			return (await lookForUpdate(run, r.ctx)).kind;
		},
	};
}
const version = (v: string): Answer => ({
	body: JSON.stringify({ version: v }),
});

describe("one look at a registry", () => {
	test("asks for the package's latest and keeps what it found", async () => {
		const r = rig();
		asked.length = 0;
		expect(await r.look(version("2.1.10"))).toBe("available");
		expect(asked).toEqual(["/@anthropic-ai/claude-code/latest"]);
		expect(r.signal()).toMatch(
			/^candidate=2\.1\.10\ninstalled=2\.1\.9\npackage=@anthropic-ai\/claude-code\ndetected=\S+\nskill=skills\/nexus\.cc-update\/GUIDE\.md\n$/,
		);
	});

	test("a candidate that is known leaves the file alone, its time too", async () => {
		const r = rig();
		await r.look(version("2.1.10"));
		const before = r.files.stat(ccUpdateAvailablePath(STATE));
		await r.doors.clock.sleep(60_000);
		await r.look(version("2.1.10"));
		expect(r.files.stat(ccUpdateAvailablePath(STATE))).toEqual(before);
		await r.look(version("2.1.11"));
		expect(r.signal()).toStartWith("candidate=2.1.11\n");
	});

	test("nothing newer: the signal goes", async () => {
		const r = rig();
		await r.look(version("2.1.10"));
		expect(await r.look(version("2.1.9"))).toBe("current");
		expect(r.signal()).toBeNull();
	});

	test.each([
		["an error", { status: 500, body: '{"version":"2.1.11"}' }],
		["a redirect", { status: 302, body: "" }],
		["no JSON", { body: "<html>" }],
		["no version", { body: '{"name":"x"}' }],
		["a version that is none", { body: '{"version":7}' }],
		[
			"an answer of megabytes",
			{ body: `{"version":"2.1.11","readme":"${"x".repeat(1024 * 1024)}"}` },
		],
	])("%s says nothing: the signal stays", async (_name, says) => {
		const r = rig();
		await r.look(version("2.1.10"));
		const before = r.signal();
		expect(await r.look(says)).toBe("unreachable");
		expect(r.signal()).toBe(before);
	});

	test("a registry that never answers is given up after the limit", async () => {
		const r = rig({ "monitor.cc_update.fetch_timeout_seconds": 1 });
		const run = { ...r.run, doors: { ...r.run.doors, clock: r.doors.clock } };
		answer = "hang";
		const looking = lookForUpdate(run, r.ctx);
		await r.doors.clock.sleep(1000);
		expect((await looking).kind).toBe("unreachable");
	});

	test("without a version in force nobody is asked", async () => {
		const r = rig();
		r.files.remove(`${STATE}/cc-version-local`);
		asked.length = 0;
		expect(await r.look(version("2.1.10"))).toBe("unknown");
		expect(asked).toEqual([]);
	});
});

describe("the section", () => {
	async function section(config: Record<string, unknown> = {}) {
		const r = rig({ "monitor.cc_update.emit_enabled": true, ...config });
		await r.look(version("2.1.10"));
		const render = async (): Promise<EmitSection> =>
			ccUpdateSection(r.ctx).render(r.run);
		return { ...r, render };
	}

	test("is off by default, and then consumes nothing", async () => {
		const r = await section({ "monitor.cc_update.emit_enabled": false });
		const made = await r.render();
		await made.commit();
		expect(made.text).toBe("");
		expect(r.files.has(ccUpdateSurfacedPath(STATE))).toBe(false);
	});

	test("names candidate, installed version, guide and gate, word for word", async () => {
		const r = await section();
		expect((await r.render()).text).toBe(
			[
				"Claude Code 2.1.10 is available; installed: 2.1.9.",
				"It is gated: do not bump it.",
				"How it is judged: skills/nexus.cc-update/GUIDE.md",
				"The gate, which tries it beside the one that runs: monitor/cc-auto-update-apply.ts safe --candidate 2.1.10",
				"",
			].join("\n"),
		);
	});

	test("says that no evaluator is to be spawned by hand while the nightly update is on", async () => {
		const r = await section({ "monitor.cc_auto_update.enabled": true });
		expect((await r.render()).text).toContain("spawn no evaluator by hand");
	});

	test("rides every report until one was delivered", async () => {
		const r = await section();
		expect((await r.render()).text).not.toBe("");
		const made = await r.render();
		expect(made.text).not.toBe("");
		await made.commit();
		expect(readCcUpdateSurfaced(r.files, STATE)).toBe("2.1.10");
		expect((await r.render()).text).toBe("");
		await r.look(version("2.1.11"));
		expect((await r.render()).text).toContain("2.1.11");
	});

	test("is silent about what was promoted since", async () => {
		const r = await section();
		r.files.writeAtomic(`${STATE}/cc-version-local`, "2.1.10\n");
		expect((await r.render()).text).toBe("");
	});

	test("alone in a report it names the report", async () => {
		const r = await section();
		const further = { sections: [ccUpdateSection(r.ctx)] };
		const full = emitRig({ after: r.doors, further });
		await full.seed();
		await full.cycle();
		expect(full.pasted.join("")).toContain(
			"--- claude code update available ---",
		);
		expect(full.pasted.join("")).toContain("poll-cc-update");
	});
});
