/** One suite, two disks: what the product relies on holds on the real one and on the fake. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Files } from "../../monitor/_sys/doors.ts";
import { realFiles } from "../../monitor/_sys/files.ts";
import { fakeClock } from "../fakes/clock.ts";
import { fakeFiles } from "../fakes/files.ts";

interface Rig {
	readonly files: Files;
	/** A fresh folder of its own. */
	dir(): string;
	link(target: string, path: string): void;
	fifo(path: string): void;
}

const realDirs: string[] = [];
afterAll(() => {
	for (const dir of realDirs) rmSync(dir, { recursive: true, force: true });
});

const rigs: readonly (readonly [string, () => Rig])[] = [
	[
		"the real disk",
		() => ({
			files: realFiles(),
			dir: () => {
				const dir = mkdtempSync(join(tmpdir(), "files-suite-"));
				realDirs.push(dir);
				return dir;
			},
			link: (target, path) => run("ln", "-s", target, path),
			fifo: (path) => run("mkfifo", path),
		}),
	],
	[
		"the fake disk",
		() => {
			const files = fakeFiles(fakeClock({ auto: true }));
			return {
				files,
				dir: () => files.makeTempDir("suite-"),
				link: files.seedLink,
				fifo: files.seedOther,
			};
		},
	],
];

function run(...argv: string[]): void {
	Bun.spawnSync(argv, { env: process.env });
}

describe.each(rigs)("%s", (_name, build) => {
	let rig: Rig;
	let files: Files;
	let dir: string;
	beforeEach(() => {
		rig = build();
		files = rig.files;
		dir = rig.dir();
	});
	const at = (name: string) => join(dir, name);
	const textOf = (name: string) => {
		const read = files.read(at(name));
		return read.kind === "ok" ? read.text : read.kind;
	};

	test("a missing file, and one below a file, are absent; a folder and a FIFO are unreadable and never hang", () => {
		files.writeAtomic(at("f"), "x");
		rig.fifo(at("fifo"));
		expect(files.read(at("none")).kind).toBe("absent");
		expect(files.read(at("f/below")).kind).toBe("absent");
		expect(files.read(dir).kind).toBe("unreadable");
		expect(files.read(at("fifo")).kind).toBe("unreadable");
		expect(files.append(at("fifo"), "x\n").kind).toBe("failed");
		expect(files.truncate(at("fifo")).kind).toBe("failed");
		expect(files.touch(at("fifo"), { create: true }).kind).toBe("failed");
	});

	test("a file larger than the bound is unreadable, not cut", () => {
		files.writeAtomic(at("f"), "12345");
		expect(files.read(at("f"), 5)).toEqual({ kind: "ok", text: "12345" });
		expect(files.read(at("f"), 4).kind).toBe("unreadable");
	});

	test.each([
		[0, undefined, "abcdef"],
		[3, undefined, "def"],
		[3, 2, "de"],
		[6, undefined, ""],
		[9, undefined, ""],
	])("reading from byte %i, at most %p bytes, gives %p", (from, max, text) => {
		files.writeAtomic(at("f"), "abcdef");
		expect(files.readFrom(at("f"), from, max)).toEqual({ kind: "ok", text });
	});

	test("bytes come as they are, those of an atomic write, too; a symlink is not followed", () => {
		const bytes = Uint8Array.of(0, 0xff, 0x0a, 0x80);
		expect(files.writeAtomic(at("f"), bytes).kind).toBe("ok");
		const read = files.readBytes(at("f"), 4);
		expect(read.kind === "ok" && [...read.bytes]).toEqual([...bytes]);
		expect(files.readBytes(at("f"), 3).kind).toBe("unreadable");
		expect(files.readBytes(at("none"), 9).kind).toBe("absent");
		expect(files.readBytes(dir, 9).kind).toBe("unreadable");
		rig.link(at("f"), at("l"));
		expect(files.readBytes(at("l"), 9)).toEqual({
			kind: "unreadable",
			reason: "ELOOP",
		});
	});

	test("an atomic write replaces the whole file, with its mode, and leaves no temporary file", () => {
		expect(files.writeAtomic(at("f"), "old text").kind).toBe("ok");
		expect(files.writeAtomic(at("f"), "né", { mode: 0o600 }).kind).toBe("ok");
		expect(textOf("f")).toBe("né");
		expect(files.stat(at("f"))).toMatchObject({ stat: { mode: 0o600 } });
		expect(files.list(dir)).toEqual({ kind: "ok", names: ["f"] });
	});

	test("an atomic write that fails says so and leaves no temporary file", () => {
		files.mkdir(at("d/in"));
		expect(files.writeAtomic(at("none/f"), "x")).toMatchObject({
			code: "ENOENT",
		});
		expect(files.writeAtomic(at("d"), "x").kind).toBe("failed");
		expect(files.list(dir)).toEqual({ kind: "ok", names: ["d"] });
	});

	test.each([
		["", "a", "a\n"],
		["", "a\n", "a\n"],
		["one\n", "two\n", "one\ntwo\n"],
		['{"ts":"20', '{"ok":1}\n', '{"ts":"20\n{"ok":1}\n'],
		["torn é", "two\nthree", "torn é\ntwo\nthree\n"],
		["one\n", "", "one\n"],
	])("to %p the append of %p gives %p", (before, lines, after) => {
		if (before !== "") files.writeAtomic(at("f"), before);
		expect(files.append(at("f"), lines).kind).toBe("ok");
		expect(textOf("f")).toBe(after);
	});

	test("an append creates the file with the mode asked for, and not its folder", () => {
		files.append(at("f"), "x", { mode: 0o640 });
		expect(files.stat(at("f"))).toMatchObject({ stat: { mode: 0o640 } });
		expect(files.append(at("none/f"), "x")).toMatchObject({ code: "ENOENT" });
	});

	test("truncate keeps the inode, an atomic write does not", () => {
		files.writeAtomic(at("f"), "x");
		const ino = () => {
			const looked = files.stat(at("f"));
			return looked.kind === "ok" ? looked.stat.ino : null;
		};
		const first = ino();
		files.truncate(at("f"));
		expect([ino(), textOf("f")]).toEqual([first, ""]);
		files.writeAtomic(at("f"), "y");
		expect(ino()).not.toBe(first);
	});

	test("touch dates a file, creates only when asked, and never empties", () => {
		expect(files.touch(at("f")).kind).toBe("failed");
		expect(files.touch(at("f"), { create: true }).kind).toBe("ok");
		files.append(at("f"), "kept");
		files.touch(at("f"), { at: 1_000_000 });
		expect(files.stat(at("f"))).toMatchObject({
			stat: { mtimeMs: 1_000_000_000 },
		});
		expect(textOf("f")).toBe("kept\n");
	});

	test("removing what is absent is fine, a folder needs removeTree", () => {
		files.mkdir(at("d/e"));
		files.append(at("d/e/f"), "x");
		expect(files.remove(at("none")).kind).toBe("ok");
		expect(files.remove(at("none/below")).kind).toBe("ok");
		expect(files.remove(at("d")).kind).toBe("failed");
		expect(files.removeTree(at("d")).kind).toBe("ok");
		expect(files.removeTree(at("d")).kind).toBe("ok");
		expect(files.list(dir)).toEqual({ kind: "ok", names: [] });
	});

	test("rename replaces, renameNew refuses what exists, both lose nothing", () => {
		files.append(at("a"), "a");
		files.append(at("b"), "b");
		expect(files.renameNew(at("a"), at("b"))).toMatchObject({ code: "EEXIST" });
		expect([textOf("a"), textOf("b")]).toEqual(["a\n", "b\n"]);
		expect(files.rename(at("a"), at("b")).kind).toBe("ok");
		expect([textOf("a"), textOf("b")]).toEqual(["absent", "a\n"]);
		expect(files.renameNew(at("b"), at("c")).kind).toBe("ok");
		expect([textOf("b"), textOf("c")]).toEqual(["absent", "a\n"]);
		expect(files.rename(at("none"), at("d"))).toMatchObject({ code: "ENOENT" });
	});

	test("copy copies, and what is not there cannot be copied", () => {
		files.append(at("a"), "a");
		expect(files.copy(at("a"), at("b")).kind).toBe("ok");
		expect(textOf("b")).toBe("a\n");
		expect(files.copy(at("none"), at("c")).kind).toBe("failed");
	});

	test("mkdir makes parents, takes an existing folder, refuses a file in the way", () => {
		expect(files.mkdir(at("a/b/c")).kind).toBe("ok");
		expect(files.mkdir(at("a/b")).kind).toBe("ok");
		files.append(at("f"), "x");
		expect(files.mkdir(at("f")).kind).toBe("failed");
		expect(files.mkdir(at("f/g")).kind).toBe("failed");
	});

	test("mkdirNew makes one folder, and only where nothing is", () => {
		expect(files.mkdirNew(at("a")).kind).toBe("ok");
		expect(files.mkdirNew(at("a"))).toMatchObject({ code: "EEXIST" });
		files.append(at("f"), "x");
		expect(files.mkdirNew(at("f"))).toMatchObject({ code: "EEXIST" });
		expect(files.mkdirNew(at("no/parent"))).toMatchObject({ code: "ENOENT" });
	});

	test("writeNew makes one file, and only where nothing is", () => {
		expect(files.writeNew(at("l"), "first", { mode: 0o600 }).kind).toBe("ok");
		expect(files.writeNew(at("l"), "second")).toMatchObject({ code: "EEXIST" });
		expect(files.read(at("l"))).toEqual({ kind: "ok", text: "first" });
		files.mkdir(at("d"));
		expect(files.writeNew(at("d"), "x")).toMatchObject({ code: "EEXIST" });
		expect(files.writeNew(at("no/parent"), "x")).toMatchObject({
			code: "ENOENT",
		});
		files.remove(at("l"));
		expect(files.writeNew(at("l"), "third").kind).toBe("ok");
	});

	test("names are listed in byte order; a missing folder is absent, a file in its place is unreadable", async () => {
		for (const name of ["b", "a", "B", "é", "😀", "ﬀ"])
			files.append(at(name), "x");
		const names = ["B", "a", "b", "é", "ﬀ", "😀"];
		expect(files.list(dir)).toEqual({ kind: "ok", names });
		expect(await files.listSlow(dir, 5000)).toEqual({ kind: "ok", names });
		expect(files.list(at("none")).kind).toBe("absent");
		expect(files.list(at("a")).kind).toBe("unreadable");
		expect((await files.listSlow(at("none"), 5000)).kind).toBe("absent");
	});

	test("what was looked for in a folder that is not there is looked for anew", () => {
		const below = at("a/b/c");
		expect(files.list(below).kind).toBe("absent");
		files.writeAtomic(at("a"), "in its place");
		expect(files.list(below).kind).toBe("unreadable");
		files.remove(at("a"));
		expect(files.list(below).kind).toBe("absent");
		files.mkdir(below);
		expect(files.list(below)).toEqual({ kind: "ok", names: [] });
		files.removeTree(at("a"));
		files.writeAtomic(at("a"), "again");
		expect(files.list(below).kind).toBe("unreadable");
	});

	test("an aborted slow listing is unreadable", async () => {
		const signal = AbortSignal.abort();
		expect(await files.listSlow(dir, 5000, signal)).toEqual({
			kind: "unreadable",
			reason: "aborted",
		});
	});

	test("stat follows a symlink, lstat does not, and a dangling one is absent", () => {
		files.append(at("f"), "x");
		rig.link("f", at("good"));
		rig.link("gone", at("dangling"));
		rig.link("loop", at("loop"));
		expect(files.stat(at("good"))).toMatchObject({ stat: { kind: "file" } });
		expect(files.lstat(at("good"))).toMatchObject({
			stat: { kind: "symlink" },
		});
		expect(files.stat(at("dangling")).kind).toBe("absent");
		expect(files.stat(at("loop")).kind).toBe("unreadable");
		expect(files.readlink(at("good"))).toBe("f");
		expect(files.readlink(at("f"))).toBeNull();
		expect(files.realpath(at("good"))).toBe(files.realpath(at("f")));
		expect(files.realpath(at("dangling"))).toBeNull();
	});

	test("no file that is made can be written by others, whatever the umask", () => {
		const umask = process.umask(0);
		files.append(at("a"), "x");
		files.writeAtomic(at("b"), "x");
		files.writeNew(at("c"), "x");
		files.truncate(at("d"));
		files.touch(at("e"), { create: true });
		files.copy(at("a"), at("f"));
		process.umask(umask);
		for (const name of ["a", "b", "c", "d", "e", "f"])
			expect(files.stat(at(name))).toMatchObject({ stat: { mode: 0o644 } });
	});

	test("nothing is written through a symlink in a file's place", () => {
		files.append(at("victim"), "theirs");
		files.touch(at("victim"), { at: 1000 });
		rig.link("victim", at("l"));
		rig.link("none", at("dangling"));
		for (const path of [at("l"), at("dangling")]) {
			expect(files.append(path, "x")).toMatchObject({ code: "ELOOP" });
			expect(files.truncate(path)).toMatchObject({ code: "ELOOP" });
			expect(files.touch(path, { create: true })).toMatchObject({
				code: "ELOOP",
			});
			expect(files.writeNew(path, "x")).toMatchObject({ code: "EEXIST" });
			expect(files.touch(path).kind).toBe("ok");
			expect(files.writeAtomic(path, "x").kind).toBe("ok");
			expect(files.lstat(path)).toMatchObject({ stat: { kind: "file" } });
		}
		expect(files.read(at("victim"))).toMatchObject({ text: "theirs\n" });
		expect(files.stat(at("victim"))).toMatchObject({
			stat: { mtimeMs: 1_000_000 },
		});
		expect(files.stat(at("none")).kind).toBe("absent");
	});

	test("a write probe leaves nothing behind and fails where nothing can be written", () => {
		expect(files.probeWritable(dir).kind).toBe("ok");
		expect(files.list(dir)).toEqual({ kind: "ok", names: [] });
		expect(files.probeWritable(at("none"))).toMatchObject({ code: "ENOENT" });
	});

	test("a change in a watched folder is told; a missing folder cannot be watched", async () => {
		expect(files.watch(at("none"), () => {})).toBeNull();
		const told = Promise.withResolvers<void>();
		const stop = files.watch(dir, told.resolve);
		files.append(at("f"), "x");
		await told.promise;
		stop?.();
	});

	test("a new entry dates its folder", () => {
		files.mkdir(at("d"));
		files.touch(at("d"), { at: 1000 });
		files.append(at("d/f"), "x");
		const looked = files.stat(at("d"));
		expect(looked.kind === "ok" && looked.stat.mtimeMs).toBeGreaterThan(
			1_000_000,
		);
	});
});

test("a write probe finds a disk that takes names but no bytes, as a full one does", () => {
	const dir = mkdtempSync(join(tmpdir(), "files-full-"));
	try {
		const code = `const { realFiles } = await import(${JSON.stringify(join(import.meta.dir, "../../monitor/_sys/files.ts"))});
console.log(realFiles().probeWritable(${JSON.stringify(dir)}).kind, realFiles().list(${JSON.stringify(dir)}).names.length);`;
		const limited = `trap '' XFSZ; ulimit -f 0; exec "$@"`;
		const ran = Bun.spawnSync(
			["sh", "-c", limited, "sh", process.execPath, "-e", code],
			{ env: { PATH: process.env.PATH ?? "" } },
		);
		expect(ran.stdout.toString()).toBe("failed 0\n");
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
});
