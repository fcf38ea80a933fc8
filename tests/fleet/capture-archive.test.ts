import { describe, expect, test } from "bun:test";
import {
	archiveAgentCapture,
	archiveSource,
	writeRawTick,
} from "../../monitor/_state/fleet/capture-archive.ts";
import {
	type AgentCapture,
	captureRecord,
	classifyFailureState,
	parseGeometry,
	recordFilename,
	renderRecord,
	sha256,
} from "../../monitor/_state/fleet/capture-record.ts";
import { runArchive } from "../../resources/_capture-archive/run.ts";
import { fakeDoors } from "../fakes/doors.ts";

const DIR = "/srv/app/.thrum/agents/night/watch-captures/archive";
const bytes = (text: string) => new TextEncoder().encode(text);
const CAPTURE: AgentCapture = {
	agent: "impl api/é",
	raw: bytes("● fertig\n❯ \n"),
	captureId: "20260101-123015-123000",
	at: "2026-01-01T12:30:15.123000Z",
	runtime: "claude",
	box: null,
	requestedLines: 30,
	geometry: null,
	captureRc: 0,
	finalRc: 0,
	primaryRc: 0,
	sshRc: null,
	route: "primary",
	section: { index: 2, lineStart: 9, lineEnd: 10 },
	source: { path: "/c/roster-capture-x.txt", bytes: bytes("whole") },
};

function archive() {
	const doors = fakeDoors();
	return { doors, archive: { files: doors.files, dir: DIR, unique: "u1" } };
}

test.each([
	["❯ ", 1, "capture_failed"],
	["❯ ", 0, "success"],
	["Error: tmux.capture: no", 0, "error_text"],
	["Failed to connect to daemon", 0, "error_text"],
	["--- DEGRADED-KNOWN for a: x ---\ncapture failed", 0, "degraded_known"],
	["ssh fallback SKIPPED", 0, "fallback_skipped"],
	["fallback deferred", 0, "fallback_deferred"],
	["--- CAPTURE FAILED for a", 0, "capture_failed"],
] as const)("%j with exit code %d is %s", (text, rc, state) =>
	expect(classifyFailureState(text, rc)).toBe(state),
);

test("a record says how the picture came about, in the same bytes each time", () => {
	const record = captureRecord(CAPTURE);
	expect(record).toMatchObject({
		schema_version: "roster-capture-archive-v2",
		geometry_provenance: "unmeasured",
		failure_state: "success",
		error_excerpt: null,
		source_file_name: "roster-capture-x.txt",
		source_blob: `sources/${sha256("whole")}.txt`,
		raw_response_bytes: 16,
		joined_logical_line_count: 2,
	});
	const text = renderRecord(record);
	expect(text).toEndWith("}\n");
	expect(text).not.toMatch(/": |, "/);
	expect(text).toContain('"agent":"impl api/é"');
	const keys = Object.keys(JSON.parse(text));
	expect(keys).toEqual([...keys].sort());
	expect(keys).toHaveLength(30);
});

test("a record's name tells time, place, agent, source and picture", () => {
	const raw = sha256(CAPTURE.raw).slice(0, 16);
	const source = sha256("whole").slice(0, 12);
	expect(recordFilename(captureRecord(CAPTURE))).toBe(
		`20260101T123015.123000Z_0002_impl_api__${source}_${raw}.json`,
	);
	const alone = captureRecord({ ...CAPTURE, source: null, at: "../../x" });
	expect(recordFilename(alone)).toStartWith(".._.._x_0002_impl_api__direct_");
	const long = captureRecord({ ...CAPTURE, agent: "a".repeat(81) });
	expect(recordFilename(long)).toContain(`_0002_${"a".repeat(80)}_`);
});

test("a failed capture keeps the start of its words", () => {
	const raw = bytes(`no session ${"é".repeat(400)}`);
	const record = captureRecord({ ...CAPTURE, raw, captureRc: 1 });
	expect([...String(record.error_excerpt)]).toHaveLength(240);
});

test("a geometry holds known keys alone", () => {
	expect(parseGeometry('{"pane_width":80,"source":"tmux"}').kind).toBe("ok");
	expect(parseGeometry('{"pane_width":80,"title":"x"}')).toEqual({
		kind: "bad",
		why: "unknown key title",
	});
	expect(parseGeometry("[]").kind).toBe("bad");
});

test("what is archived is private, and archiving it again changes nothing", () => {
	const { doors, archive: to } = archive();
	expect(archiveAgentCapture(to, CAPTURE).kind).toBe("written");
	const before = doors.files.paths(DIR);
	expect(archiveAgentCapture(to, CAPTURE).kind).toBe("existing");
	expect(doors.files.paths(DIR)).toEqual(before);
	expect(before).toHaveLength(2);
	for (const path of before)
		expect(doors.files.stat(path)).toMatchObject({ stat: { mode: 0o600 } });
	for (const dir of [DIR, `${DIR}/raw`, `${DIR}/records`])
		expect(doors.files.stat(dir)).toMatchObject({ stat: { mode: 0o700 } });
});

test("another content under a name that is taken is a conflict, and the first one stays", () => {
	const { doors, archive: to } = archive();
	const blob = `${DIR}/raw/${sha256(CAPTURE.raw)}.bin`;
	doors.files.seed(blob, "something else");
	expect(archiveAgentCapture(to, CAPTURE)).toEqual({
		kind: "failed",
		error: {
			error: "archive_write_conflict",
			path: blob,
			existing_sha256: sha256("something else"),
			new_sha256: sha256(CAPTURE.raw),
		},
	});
	expect(doors.files.text(blob)).toBe("something else");
	// A record without its picture would be a lie.
	expect(doors.files.paths(`${DIR}/records`)).toEqual([]);
});

test("somebody who writes the same at the same moment is no trouble", () => {
	const { doors, archive: to } = archive();
	const racing = {
		...to,
		files: {
			...to.files,
			renameNew: (from: string, path: string) => {
				doors.files.seed(path, new TextDecoder().decode(CAPTURE.raw));
				return doors.files.renameNew(from, path);
			},
		},
	};
	const x = { path: "/c/s.txt", bytes: CAPTURE.raw, captureId: "c", at: "t" };
	expect(archiveSource(racing, x)).toMatchObject({ kind: "failed" });
	expect(doors.files.paths(`${DIR}/sources`)).toEqual([
		`${DIR}/sources/${sha256(CAPTURE.raw)}.txt`,
	]);
});

test("a full disk is a failure with its reason", () => {
	const { archive: to } = archive();
	const full = {
		...to.files,
		writeAtomic: () =>
			({ kind: "failed", code: "ENOSPC", reason: "no space left" }) as const,
	};
	expect(archiveAgentCapture({ ...to, files: full }, CAPTURE)).toMatchObject({
		kind: "failed",
		error: { error: "archive_write_failed", reason: "no space left" },
	});
});

test("the pictures of a pass lie together, a file a member", () => {
	const { archive: to } = archive();
	const x = {
		captureId: "c1",
		index: 3,
		agent: "a/b",
		suffix: ".txt",
		text: "x",
	};
	expect(writeRawTick(to, x)).toEqual({
		kind: "written",
		path: `${DIR}/raw-ticks/c1/0003-a_b.txt`,
	});
});

describe("by hand", () => {
	const world = () => {
		const doors = fakeDoors();
		doors.files.seed("/c/raw.txt", "❯ \n");
		return doors;
	};
	const words = [
		"--archive-dir",
		"/ar",
		"--raw-file",
		"/c/raw.txt",
		"--agent",
		"a",
	];

	test("one picture, and the same once more", () => {
		const doors = world();
		const argv = [
			"archive-agent",
			...words,
			"--capture-id",
			"c",
			"--capture-timestamp-utc",
			"2026-01-01T00:00:00Z",
			"--geometry-json",
			'{"pane_width":80}',
		];
		const first = runArchive(doors, argv);
		expect(first.exitCode).toBe(0);
		const { status, path } = JSON.parse(first.out ?? "");
		expect(status).toBe("written");
		expect(JSON.parse(doors.files.text(path))).toMatchObject({
			agent: "a",
			requested_lines: 30,
			geometry_provenance: "measured",
			split_provenance: "direct",
		});
		expect(JSON.parse(runArchive(doors, argv).out ?? "").status).toBe(
			"existing",
		);
	});

	test("one capture file", () => {
		const doors = world();
		const argv = [
			"archive-source",
			"--archive-dir",
			"/ar",
			"--source",
			"/c/raw.txt",
			"--capture-id",
			"c",
		];
		const { path } = JSON.parse(runArchive(doors, argv).out ?? "");
		expect(path).toBe(`/ar/source-records/c_${sha256("❯ \n")}.json`);
		expect(doors.files.text(`/ar/sources/${sha256("❯ \n")}.txt`)).toBe("❯ \n");
	});

	test("an input that cannot be read is an error as JSON, exit 1", () => {
		const argv = [
			"archive-source",
			"--archive-dir",
			"/ar",
			"--source",
			"/c/none",
		];
		const end = runArchive(world(), argv);
		expect(end.exitCode).toBe(1);
		expect(JSON.parse(end.err ?? "")).toMatchObject({ path: "/c/none" });
	});

	test.each([
		[[]],
		[["archive-roster-file"]],
		[["archive-agent", "--agent", "a"]],
		[["archive-agent", ...words, "--capture-rc", "one"]],
		[["archive-agent", ...words, "--capture-route", "mail"]],
		[["archive-agent", ...words, "--geometry-json", '{"x":1}']],
		[["archive-agent", ...words, "--overwrite"]],
		[["archive-source", "--archive-dir", "/ar"]],
	])("usage: %j", (argv) => expect(runArchive(world(), argv).exitCode).toBe(2));
});
