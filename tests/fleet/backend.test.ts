import { beforeEach, describe, expect, test } from "bun:test";
import { openFleet, recordBackend } from "../../monitor/_fleet/open.ts";
import { keptHere } from "../../monitor/watcher/_fleet_monitors.ts";
import { value } from "./conformance.ts";
import { type LocalRig, localRig, REPO, T } from "./local-rig.ts";

const WORD = `${T}/fleet-backend`;
const ABLE: Readonly<Record<string, string>> = {
	"tmux send": "--keys",
	"monitor start": "--notify-on-success",
	"tmux create": "--model --effort",
	"tmux launch": "--model --effort",
	"tmux capture": "<agent> --format",
	team: "--offline",
	detect: "detect",
	state: "state",
};

let rig: LocalRig;
beforeEach(() => {
	rig = localRig();
});

/** A thrum on PATH with a daemon that runs. `lacks`: a flag that its help does not mention. */
function thrum(
	o: { readonly lacks?: string; readonly down?: boolean } = {},
): void {
	rig.doors.files.seed("/usr/bin/thrum", "", { mode: 0o755 });
	rig.doors.proc.answer("thrum", (argv) => {
		const words = argv.slice(1);
		const answered = (rc: number, stdout: string, stderr = "") =>
			({ kind: "exited", rc, stdout, stderr }) as const;
		if (words.at(-1) === "--help") {
			const help = ABLE[words.slice(0, -1).join(" ")];
			return help === undefined
				? answered(1, "", "Error: unknown command")
				: answered(0, help.replace(o.lacks ?? "nothing", ""));
		}
		return o.down
			? answered(1, "", "Error: dial unix /x.sock: connection refused")
			: answered(0, '{"members": null}');
	});
}
const open = async (option?: "auto" | "local" | "thrum") =>
	openFleet(rig.ctx, rig.ctx.place, option);
const choice = async (option?: "auto" | "local" | "thrum") =>
	value(await open(option)).choice;

describe("the backend", () => {
	test("is thrum when it is there, up and able", async () => {
		thrum();
		expect(await choice()).toEqual({ backend: "thrum", by: "probe" });
	});

	test.each([
		["--keys", "this thrum has no tmux send --keys"],
		[
			"--notify-on-success",
			"this thrum has no monitor start --notify-on-success",
		],
		["--model", "this thrum has no tmux create and launch --model --effort"],
	])(
		"is local when thrum lacks %s, and one line says so",
		async (lacks, note) => {
			thrum({ lacks });
			expect(await choice()).toEqual({ backend: "local", by: "probe", note });
			expect(rig.doors.log.messages("info")).toEqual([
				`fleet: backend local: ${note}`,
			]);
		},
	);

	test("is local without a thrum", async () => {
		expect((await choice()).note).toBe("no thrum on PATH");
	});

	test("is local when the only thrum is our own shim, or when the shim started us", async () => {
		rig.doors.files.seed(`${T}/bin/thrum`, "", { mode: 0o755 });
		rig.doors.proc.env.PATH = `${T}/bin:/usr/bin`;
		expect((await choice()).note).toBe(
			"the only thrum on PATH is our own shim",
		);
		thrum();
		expect((await choice()).backend).toBe("thrum");
		rig.doors.proc.env.THRUM_SHIM = "1";
		expect((await choice()).note).toBe("we were started by our own shim");
	});

	test("that is recorded stays: a daemon that is down makes calls fail, and nothing else", async () => {
		rig.doors.files.seed(WORD, "thrum\n");
		thrum({ down: true });
		const opened = value(await open());
		expect(opened.choice).toEqual({ backend: "thrum", by: "record" });
		expect((await opened.fleet.team()).kind).toBe("unreachable");
		expect((await opened.fleet.monitorList()).kind).toBe("unreachable");
	});

	test("that is recorded yields to the option, and to the configuration", async () => {
		rig.doors.files.seed(WORD, "thrum\n");
		expect(await choice("local")).toEqual({ backend: "local", by: "option" });
		const settings = { ...rig.ctx.settings, backend: "local" } as const;
		const place = rig.ctx.place;
		const opened = await openFleet({ ...rig.ctx, settings }, place, "auto");
		expect(value(opened).choice.by).toBe("config");
		const asked = await openFleet({ ...rig.ctx, settings }, place, "thrum");
		expect(value(asked).choice).toEqual({ backend: "thrum", by: "option" });
	});

	test.each(["", "thrmu\n"])(
		"is nobody's to guess when the record says %j",
		async (text) => {
			rig.doors.files.seed(WORD, text);
			expect((await open()).kind).toBe("refused");
			expect((await open("local")).kind).toBe("ok");
		},
	);

	test("is recorded once, and never by opening", async () => {
		await open();
		expect(rig.doors.files.has(WORD)).toBe(false);
		recordBackend(rig.doors.files, T, "local");
		recordBackend(rig.doors.files, T, "thrum");
		expect(rig.doors.files.text(WORD)).toBe("local\n");
	});
});

describe("the watcher runs the jobs of a fleet", () => {
	const kept = (configured: "auto" | "local" | "thrum" = "auto") =>
		keptHere(rig.doors.files, REPO, configured).kind;

	test("that is recorded as local, or configured so", () => {
		expect(kept()).toBe("no");
		expect(kept("local")).toBe("here");
		rig.doors.files.seed(WORD, "local\n");
		expect(kept()).toBe("here");
		expect(kept("thrum")).toBe("no");
	});

	test("that is here, and no other", () => {
		rig.doors.files.seed(WORD, "thrum\n");
		expect(kept()).toBe("no");
		rig.doors.files.seed(WORD, "nonsense");
		expect(kept()).toBe("unclear");
		rig.doors.files.removeTree(T);
		expect(kept("local")).toBe("no");
	});
});
