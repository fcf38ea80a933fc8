import { expect, test } from "bun:test";
import {
	DIFF,
	ensureTools,
	GIT,
	planTools,
	TMUX,
} from "../../monitor/_nexus/tools.ts";
import { fakeClock } from "../fakes/clock.ts";
import { fakeProc } from "../fakes/proc.ts";

test("nothing is missing: nothing to do", () =>
	expect(planTools([], { root: true, aptGet: true })).toEqual({
		kind: "complete",
	}));

test("root with apt-get installs Debian's packages", () =>
	expect(planTools([TMUX, DIFF], { root: true, aptGet: true })).toEqual({
		kind: "install",
		packages: ["tmux", "diffutils"],
	}));

test.each([
	[
		true,
		"missing: tmux, diff. run as root: apt-get update && apt-get install tmux diffutils",
	],
	[
		false,
		"missing: tmux, diff. install them with this system's package manager (Debian's names: tmux diffutils)",
	],
])("an ordinary user is told what to install (apt-get: %p)", (aptGet, line) =>
	expect(planTools([TMUX, DIFF], { root: false, aptGet })).toEqual({
		kind: "tell",
		line,
	}),
);

function root() {
	const proc = fakeProc(fakeClock(), { uid: 0 });
	proc.programs.set("apt-get", "/usr/bin/apt-get");
	return proc;
}

test("a stale package list that cannot be updated does not stop an install", async () => {
	const proc = root();
	proc.answer("apt-get", 100);
	proc.answer(/install .* git$/, () => {
		proc.programs.set("git", "/usr/bin/git");
		return { kind: "exited", rc: 0, stdout: "", stderr: "" };
	});
	expect(await ensureTools({ proc }, [GIT], () => {})).toBeNull();
	expect(proc.execs.map((e) => e.argv.includes("update"))).toEqual([
		true,
		false,
	]);
});

test.each([
	["W: old\nE: no such package\n", "E: no such package"],
	[
		"E: Failed to fetch http://mirror.example.org/tmux.deb  no route\nE: Unable to fetch some archives\n",
		"E: Failed to fetch <mirror>  no route",
	],
	["dpkg is locked\n", "dpkg is locked"],
])(
	"an install that brings nothing is told with apt-get's first complaint, no mirror and a way out (%j)",
	async (stderr, cause) => {
		const proc = root();
		proc.answer("apt-get", { rc: 100, stderr });
		expect(await ensureTools({ proc }, [GIT], () => {})).toBe(
			`apt-get could not install git: ${cause}; install them by hand (apt-get update && apt-get install git), then run this again`,
		);
	},
);
