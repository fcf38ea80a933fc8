import { describe, expect, test } from "bun:test";
import { renderExample } from "../../config/example.ts";
import { loadForStart } from "../../config/start.ts";
import { configCachePath } from "../../monitor/_state/config-cache.ts";
import { OWN, PLACEHOLDER_BOT, ROOT, realConfig, rig } from "./rig.ts";

async function start(
	own: string | null,
	env: Readonly<Record<string, string>> = {},
	opts: Parameters<typeof rig>[1] = {},
) {
	const r = rig(own, opts);
	return r.clock.run(loadForStart({ ...r.from, env }));
}

test("a good file starts, and the values are the file's", async () => {
	const started = await start(
		`${realConfig()}monitor: {interval_seconds: 45}\n`,
	);
	if (started.kind !== "ok") throw new Error(started.lines.join());
	expect(started.config["monitor.interval_seconds"]).toBe(45);
	expect(started.config.file.path).toBe(OWN);
	expect(started.config.file.sha256).toMatch(/^[0-9a-f]{64}$/);
	expect(started.warnings).toEqual([]);
});

describe("nothing starts", () => {
	test.each([
		[
			"a bad value",
			`${realConfig()}monitor: {interval_seconds: fast}\n`,
			"invalid",
			"monitor.interval_seconds: expected an integer >= 1",
		],
		["no YAML", "a: {", "invalid", "config: 1 problem(s); nothing was started"],
		["placeholders", renderExample(), "placeholder", "REFUSING"],
		["only the template", null, "placeholder", "REFUSING"],
		[
			"placeholder bot keys",
			realConfig(PLACEHOLDER_BOT),
			"placeholder",
			"github.bot_app_id",
		],
		["an empty file", "", "missing", "github.repo is required"],
		["an empty file", "", "missing", "github.user_login is required"],
		[
			"no login",
			realConfig({ user_login: "" }),
			"missing",
			"github.user_login is required (not in the file; env MONITOR_USER_LOGIN not set)",
		],
	] as const)("on %s", async (_, own, why, words) => {
		const started = await start(own);
		if (started.kind === "ok") throw new Error("started");
		expect(started.why).toBe(why);
		expect(started.lines.join("\n")).toContain(words);
	});

	test("on a file that its group may write", async () => {
		const started = await start(realConfig(), {}, { mode: 0o620 });
		expect(started).toMatchObject({ kind: "refused", why: "invalid" });
	});

	test("when a variable would send the token elsewhere", async () => {
		const env = { NEXUS_GITHUB_API_URL: "http://example.org" };
		const started = await start(realConfig(), env);
		expect(started).toMatchObject({ kind: "refused", why: "invalid" });
	});

	test("when the file system stalls, and the wait has an end", async () => {
		const r = rig(realConfig());
		r.files.slow(`${ROOT}/config`, 60_000);
		const before = r.clock.monoMs();
		const started = await r.clock.run(loadForStart(r.from));
		expect(started).toMatchObject({ kind: "refused", why: "invalid" });
		expect(r.clock.monoMs() - before).toBe(5000);
	});
});

test("no file is no refusal of its own: the environment may say it all", async () => {
	const env = { MONITOR_REPO: "a/b", MONITOR_USER_LOGIN: "ada" };
	expect((await start(null, env, { bare: true })).kind).toBe("ok");
	const alone = await start(null, {}, { bare: true });
	if (alone.kind === "ok") throw new Error("started");
	expect(alone.lines[0]).toStartWith("config: no config found; tried: ");
});

test("a bot that is not set up is no obstacle", async () => {
	const none = { bot_app_id: "", bot_installation_id: "", bot_pem_path: "" };
	expect((await start(realConfig(none))).kind).toBe("ok");
});

test("warnings come as lines", async () => {
	const started = await start(
		`${realConfig()}x: 1\n`,
		{ MONITOR_INTERVAL: "fast" },
		{ mode: 0o644 },
	);
	if (started.kind !== "ok") throw new Error(started.lines.join());
	expect(started.warnings).toEqual([
		`config: ${OWN}: mode 0644, expected 0600`,
		`config: ${OWN}:8: unknown key x (ignored)`,
		'config: env MONITOR_INTERVAL: expected an integer >= 1, got "fast"; ignored',
	]);
});

test("a cached tree is never trusted", async () => {
	const r = rig(realConfig());
	r.files.seedDir(`${ROOT}/monitor/.state`);
	const cachePath = configCachePath(`${ROOT}/monitor/.state`);
	await r.clock.run(loadForStart({ ...r.from, cachePath }));
	expect(r.files.paths(`${ROOT}/monitor/.state`)).toEqual([]);
});
