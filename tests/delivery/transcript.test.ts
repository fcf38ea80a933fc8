import { describe, expect, test } from "bun:test";
import {
	ccHomes,
	projectSlug,
	transcriptsOf,
	watchTranscript,
} from "../../monitor/_delivery/transcript.ts";
import { fakeDoors } from "../fakes/doors.ts";

const SID = "0b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44";
const ENV = { HOME: "/home/op" };
const PATH = `/home/op/.claude/projects/-work/${SID}.jsonl`;

function disk(text?: string) {
	const { files } = fakeDoors();
	files.seedDir("/home/op/.claude/projects/-other");
	if (text !== undefined) files.seed(PATH, text);
	return files;
}

test.each([
	[
		"NEXUS_CC_HOME alone, when set",
		{ NEXUS_CC_HOME: "/x", CLAUDE_CONFIG_DIR: "/c", HOME: "/h" },
		["/x"],
	],
	[
		"else the config folder, then the home",
		{ CLAUDE_CONFIG_DIR: "/c", HOME: "/h" },
		["/c", "/h/.claude"],
	],
	[
		"each once",
		{ CLAUDE_CONFIG_DIR: "/h/.claude", HOME: "/h" },
		["/h/.claude"],
	],
	[
		"empty counts as unset",
		{ NEXUS_CC_HOME: "", CLAUDE_CONFIG_DIR: "", HOME: "/h" },
		["/h/.claude"],
	],
])("homes: %s", (_rule, env, homes) => {
	expect(ccHomes(env)).toEqual(homes);
});

test("a transcript is found by session id in any project folder, never by a guessed name", () => {
	const files = disk("{}\n");
	files.seed(`/home/op/.claude/projects/-work/${"0".repeat(36)}.jsonl`, "{}\n");
	expect(transcriptsOf(files, ["/nowhere", "/home/op/.claude"], SID)).toEqual([
		PATH,
	]);
});

test("a project folder that nobody can look into hides what is nowhere else, and nothing that is found", () => {
	const files = disk("{}\n");
	const homes = ["/home/op/.claude"];
	files.faults.fail({ path: /-other\//, ops: ["stat"], code: "EACCES" });
	expect(transcriptsOf(files, homes, SID)).toEqual([PATH]);
	files.remove(PATH);
	expect(transcriptsOf(files, homes, SID)).toBeNull();
	files.faults.heal();
	expect(transcriptsOf(files, homes, SID)).toEqual([]);
});

test("a folder's name among the projects has nothing but letters, digits and dashes", () => {
	expect(projectSlug("/Work/My b/c.d_e-1")).toBe("-Work-My-b-c-d-e-1");
});

describe("past the mark", () => {
	test("only what was appended since counts", () => {
		const files = disk('{"n":1}\n');
		const watch = watchTranscript(files, ENV, SID);
		expect(watch()).toEqual({ source: "readable", grew: false, records: [] });
		files.append(PATH, '{"n":2}\n{"n":3}');
		expect(watch()).toEqual({
			source: "readable",
			grew: true,
			records: [{ n: 2 }, { n: 3 }],
		});
	});

	test("a torn line is no record, neither at the mark nor at the end", () => {
		const files = disk('{"n":1,"text":"half');
		const watch = watchTranscript(files, ENV, SID);
		files.append(
			PATH,
			' of it"}}\nnot json\n{not json}\n7\n[{"n":1}]\n{"n":2}\n',
		);
		files.faults.tear(PATH, 12);
		files.append(PATH, '{"n":3,"text":"torn"}\n');
		expect(files.text(PATH)).toEndWith('{"n":3,"text');
		expect(watch().records).toEqual([{ n: 2 }]);
	});

	test("the file is read again only when its size changed", () => {
		const files = disk("");
		const watch = watchTranscript(files, ENV, SID);
		files.append(PATH, '{"n":1}\n');
		const first = watch();
		let reads = 0;
		files.faults.before((op) => {
			if (op === "read") reads++;
		});
		expect(watch()).toEqual(first);
		expect(reads).toBe(0);
	});

	test("a session that has said nothing yet has no file; when it comes, it is read from its start", () => {
		const files = disk();
		const watch = watchTranscript(files, ENV, SID);
		expect(watch().source).toBe("absent");
		files.seed(PATH, '{"n":1}\n');
		expect(watch()).toEqual({
			source: "readable",
			grew: true,
			records: [{ n: 1 }],
		});
	});

	test("a session in two project folders is watched in both", () => {
		const other = PATH.replace("-work", "-other");
		const files = disk('{"n":1}\n');
		files.seed(other, '{"n":1}\n');
		const watch = watchTranscript(files, ENV, SID);
		files.append(other, '{"n":2}\n');
		expect(watch()).toEqual({
			source: "readable",
			grew: true,
			records: [{ n: 2 }],
		});
	});
});

describe("could not look", () => {
	const UNREADABLE = {
		source: "unreadable",
		grew: false,
		records: [],
	} as const;

	test("a file that shrank is another one: old records in it prove nothing", () => {
		const files = disk('{"n":1}\n{"n":2}\n');
		const watch = watchTranscript(files, ENV, SID);
		files.seed(PATH, '{"n":1}\n');
		expect(watch()).toEqual(UNREADABLE);
	});

	test("a file that was replaced is another one, however long", () => {
		const files = disk('{"n":1}\n');
		const watch = watchTranscript(files, ENV, SID);
		files.writeAtomic(PATH, '{"n":1}\n{"n":2}\n');
		expect(watch()).toEqual(UNREADABLE);
	});

	test("a file that went away", () => {
		const files = disk("{}\n");
		const watch = watchTranscript(files, ENV, SID);
		files.remove(PATH);
		expect(watch()).toEqual(UNREADABLE);
	});

	test("a file that refuses to be read", () => {
		const files = disk("");
		const watch = watchTranscript(files, ENV, SID);
		files.append(PATH, '{"n":1}\n');
		const heal = files.faults.fail({ path: PATH, ops: ["read"], code: "EIO" });
		expect(watch()).toEqual(UNREADABLE);
		heal();
		expect(watch().records).toEqual([{ n: 1 }]);
	});

	test("a file that could not be measured at the mark, though it can be later: how much of it is old is not known", () => {
		const files = disk('{"n":1}\n');
		let stats = 0;
		files.faults.before((op, path) => {
			// It is found by the first, and measured by the second.
			if (op === "stat" && path === PATH && ++stats === 2)
				files.faults.fail({ path, ops: ["stat"], code: "EIO", times: 1 });
		});
		const watch = watchTranscript(files, ENV, SID);
		files.append(PATH, '{"n":2}\n');
		expect(watch()).toEqual(UNREADABLE);
	});

	test("a session without a file, while its folders refuse to be listed", () => {
		const files = disk();
		const watch = watchTranscript(files, ENV, SID);
		files.seed(PATH, '{"n":1}\n');
		const heal = files.faults.fail({
			path: /projects$/,
			ops: ["list"],
			code: "EACCES",
		});
		expect(watch()).toEqual(UNREADABLE);
		heal();
		expect(watch().records).toEqual([{ n: 1 }]);
	});

	test("project folders that refuse to be listed", () => {
		const files = disk("{}\n");
		files.faults.fail({ path: /projects$/, ops: ["list"], code: "EACCES" });
		expect(watchTranscript(files, ENV, SID)()).toEqual(UNREADABLE);
	});
});

test.each([null, "", "../../etc/passwd", "not-a-uuid"])(
	"session id %p names no transcript",
	(id) => {
		expect(watchTranscript(disk("{}\n"), ENV, id)()).toEqual({
			source: "none",
			grew: false,
			records: [],
		});
	},
);
