/** `./nexus` itself, with stand-ins for bun and npm: what it finds, what it installs, what it says. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BUN_FLAGS } from "../../monitor/_sys/names.ts";

const CODE_ROOT = resolve(import.meta.dir, "../..");
let top: string;
let root: string;
let bin: string;

/** A checkout whose dependencies are installed, and a PATH with sh's own tools only. */
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "nexus-sh-"));
	root = join(top, "check out");
	bin = join(top, "bin");
	mkdirSync(join(root, "node_modules"), { recursive: true });
	mkdirSync(bin);
	for (const file of ["nexus", "package.json", "package-lock.json"])
		copyFileSync(join(CODE_ROOT, file), join(root, file));
	writeFileSync(join(root, "node_modules/.package-lock.json"), "{}");
	for (const tool of [
		"sh",
		"dirname",
		"readlink",
		"find",
		"sed",
		"touch",
		"mkdir",
	])
		symlinkSync(Bun.which(tool)!, join(bin, tool));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function program(path: string, body: string): void {
	mkdirSync(resolve(path, ".."), { recursive: true });
	writeFileSync(path, `#!/bin/sh\n${body}\n`);
	chmodSync(path, 0o755);
}

/** A bun that tells its arguments, one a line. */
const TELLS = `printf '%s\\n' "bun" "$@"`;

function nexus(args: string[], script = join(root, "nexus")) {
	const ran = Bun.spawnSync([script, ...args], {
		env: { PATH: bin, HOME: join(top, "home") },
		cwd: "/",
	});
	return {
		rc: ran.exitCode,
		out: ran.stdout.toString().split("\n").slice(0, -1),
		err: ran.stderr.toString(),
	};
}

const handedOver = (...args: string[]) => [
	"bun",
	...BUN_FLAGS,
	join(root, "monitor/nexus.ts"),
	...args,
];

test("bun on PATH gets the flags, the program and the arguments as they are", () => {
	program(join(bin, "bun"), TELLS);
	const { rc, out, err } = nexus(["test", "a b", ""]);
	expect(out).toEqual(handedOver("test", "a b", ""));
	expect({ rc, err }).toEqual({ rc: 0, err: "" });
});

test.each([
	["the home", () => join(top, "home/.bun/bin/bun")],
	["the project", () => join(root, "node_modules/.bin/bun")],
])("without bun on PATH that of %s is used", (_, path) => {
	program(path(), TELLS);
	expect(nexus([]).out).toEqual(handedOver());
});

test("a symlink to it, and a symlink to that, find the same checkout", () => {
	program(join(bin, "bun"), TELLS);
	symlinkSync("nexus", join(root, "watcher"));
	symlinkSync(join(root, "watcher"), join(top, "link"));
	expect(nexus(["up"], join(top, "link")).out).toEqual(handedOver("up"));
});

test("dependencies older than the lock file are brought up to date, in place, once", () => {
	program(join(bin, "bun"), TELLS);
	program(join(bin, "npm"), `printf '%s ' "$@" >> '${top}/npm'`);
	utimesSync(join(root, "node_modules/.package-lock.json"), 1, 1);
	const { out, err } = nexus(["help"]);
	// NODE_ENV=production, or a .npmrc against install scripts, would leave no bun.
	expect(readFileSync(join(top, "npm"), "utf8")).toContain(
		" --include=dev --ignore-scripts=false --dry-run=false ",
	);
	// Not `npm ci`: it would empty the folder under a running watcher.
	expect(readFileSync(join(top, "npm"), "utf8")).toStartWith(
		`install --no-save --prefix ${root} `,
	);
	expect(err).toBe("nexus: installing dependencies (npm install --no-save)\n");
	expect(out).toEqual(handedOver("help"));
	expect(nexus(["help"]).err).toBe("");
});

test.each([
	[0, ""],
	[
		1,
		"claude is the version of package.json, not the pinned one: run <root>/monitor/install-claude-local.ts",
	],
])(
	"npm brings back the Claude Code of package.json; a pinned one is installed over it (%i)",
	(rc, says) => {
		program(
			join(bin, "bun"),
			`printf '%s\n' "\${4##*/}"; [ "\${4##*/}" = nexus.ts ] || exit ${rc}`,
		);
		program(join(bin, "npm"), ":");
		utimesSync(join(root, "node_modules/.package-lock.json"), 1, 1);
		mkdirSync(join(root, "monitor/.state"), { recursive: true });
		writeFileSync(join(root, "monitor/.state/cc-version-local"), "2.1.300\n");
		const { out, err } = nexus(["up"]);
		expect(out).toEqual(["nexus.ts"]);
		expect(err).toContain("\ninstall-claude-local.ts\n");
		expect(err.replaceAll(root, "<root>")).toContain(says);
		expect(nexus(["up"]).err).toBe("");
	},
);

test("two at once install once; the second waits for the first", async () => {
	program(join(bin, "bun"), TELLS);
	symlinkSync(Bun.which("flock")!, join(bin, "flock"));
	const install = `echo "$1" >> '${top}/npm'; /bin/sleep 0.3; /bin/mkdir -p '${root}/node_modules'; : > '${root}/node_modules/.package-lock.json'`;
	program(join(bin, "npm"), install);
	rmSync(join(root, "node_modules"), { recursive: true });
	const env = { PATH: bin, HOME: join(top, "home") };
	const both = [1, 2].map(() => Bun.spawn([join(root, "nexus")], { env }));
	expect(await Promise.all(both.map((one) => one.exited))).toEqual([0, 0]);
	expect(readFileSync(join(top, "npm"), "utf8")).toBe("ci\n");
});

test("a node_modules that belongs to another checkout is never installed into", () => {
	program(join(bin, "bun"), TELLS);
	program(join(bin, "npm"), `echo "$@" > '${top}/npm'`);
	rmSync(join(root, "node_modules"), { recursive: true });
	mkdirSync(join(top, "others"));
	symlinkSync(join(top, "others"), join(root, "node_modules"));
	expect(nexus(["help"]).out).toEqual(handedOver("help"));
	expect(existsSync(join(top, "npm"))).toBe(false);
});

test("a failing npm ends the start, and its words name no registry", () => {
	program(join(bin, "bun"), TELLS);
	program(
		join(bin, "npm"),
		"echo 'error GET https://registry.example.org/zod - refused' >&2; exit 1",
	);
	rmSync(join(root, "node_modules"), { recursive: true });
	const { rc, out, err } = nexus([]);
	expect({ rc, out }).toEqual({ rc: 1, out: [] });
	expect(err).toContain("error GET <registry> - refused");
	expect(err).not.toContain("registry.example.org");
	expect(err).toContain(`npm ci failed in ${root}`);
});

test("a checkout that cannot be written is told as that, before npm is asked", () => {
	program(join(bin, "bun"), TELLS);
	program(join(bin, "npm"), `echo "$@" > '${top}/npm'`);
	rmSync(join(root, "node_modules"), { recursive: true });
	// Not a folder: root, too, cannot write into it.
	writeFileSync(join(root, "node_modules"), "");
	const { rc, err } = nexus(["demo"]);
	expect(rc).toBe(1);
	expect(err).toBe(
		`nexus: the dependencies are not installed, and this account cannot write ${root}/node_modules: let one that can run ${root}/nexus help once, or make a clone of your own\n`,
	);
	expect(existsSync(join(top, "npm"))).toBe(false);
});

test("without a way to the registry it says so at once, and what helps", () => {
	program(
		join(bin, "npm"),
		`[ "$1" = prefix ] && echo '${top}' && exit; echo "$@" >> '${top}/npm'; echo 'npm error code EAI_AGAIN'; exit 1`,
	);
	mkdirSync(join(top, "lib"));
	rmSync(join(root, "node_modules"), { recursive: true });
	const { rc, err } = nexus(["demo"]);
	expect(rc).toBe(1);
	expect(err).toContain("npm does not reach its registry");
	expect(err).toContain("npm config set proxy");
	// Not asked again for the dependencies, at a minute's wait each.
	expect(
		readFileSync(join(top, "npm"), "utf8").trim().split("\n"),
	).toHaveLength(1);
});

test.each([
	["no home", {}],
	["a home that is not there", { HOME: "/nonexistent" }],
])(
	"an account with %s installs all the same, with a cache in the checkout",
	(_, home) => {
		program(join(bin, "bun"), TELLS);
		program(join(bin, "npm"), `printf '%s\n' "$HOME" "$@" > '${top}/npm'`);
		utimesSync(join(root, "node_modules/.package-lock.json"), 1, 1);
		const env = { PATH: bin, ...home };
		expect(Bun.spawnSync([join(root, "nexus")], { env }).exitCode).toBe(0);
		const [homeOfNpm, ...args] = readFileSync(join(top, "npm"), "utf8").split(
			"\n",
		);
		expect(homeOfNpm).toBe("/nonexistent");
		expect(args).toContain(`--cache=${root}/.npm-cache`);
	},
);

test("without npm it says what to install", () => {
	rmSync(join(root, "node_modules"), { recursive: true });
	const { rc, err } = nexus([]);
	expect(rc).toBe(1);
	expect(err).toContain("npm is not installed");
});

/** An npm whose global folder is `prefix`, and whose installs bring a bun. */
function npmWithPrefix(prefix: string): void {
	program(
		join(bin, "npm"),
		`case "$1" in
prefix) echo '${prefix}' ;;
install) echo "$@" > '${top}/npm'; printf '#!/bin/sh\\n%s\\n' '${TELLS.replaceAll("'", "'\\''")}' > '${bin}/bun'; /bin/chmod 755 '${bin}/bun' ;;
ci) /bin/mkdir -p '${root}/node_modules/.bin'; printf '#!/bin/sh\\n%s\\n' '${TELLS.replaceAll("'", "'\\''")}' > '${root}/node_modules/.bin/bun'; /bin/chmod 755 '${root}/node_modules/.bin/bun' ;;
esac`,
	);
}

test("no bun anywhere and a writable prefix: the project's version is installed globally", () => {
	const prefix = join(top, "prefix");
	mkdirSync(join(prefix, "lib"), { recursive: true });
	npmWithPrefix(prefix);
	expect(nexus(["help"]).out).toEqual(handedOver("help"));
	const version = JSON.parse(
		readFileSync(join(CODE_ROOT, "package.json"), "utf8"),
	).devDependencies.bun;
	expect(readFileSync(join(top, "npm"), "utf8")).toStartWith(
		`install -g bun@${version} `,
	);
});

test("no bun anywhere and no writable prefix: project-local, with one line about PATH", () => {
	npmWithPrefix(join(top, "nowhere"));
	rmSync(join(root, "node_modules"), { recursive: true });
	const { out, err } = nexus(["help"]);
	expect(out).toEqual(handedOver("help"));
	expect(existsSync(join(bin, "bun"))).toBe(false);
	expect(err.split("\n").filter((line) => line.includes("PATH"))).toEqual([
		`nexus: bun will be project-local; to have it on PATH: PATH=${root}/node_modules/.bin:$PATH`,
	]);
});

test("ng without a bun anywhere says where it looked, and what brings one", () => {
	mkdirSync(join(root, "monitor"));
	copyFileSync(join(CODE_ROOT, "monitor/ng"), join(root, "monitor/ng"));
	const { rc, err } = nexus(["help"], join(root, "monitor/ng"));
	expect(rc).toBe(127);
	expect(err).toStartWith("ng: bun not found (");
	expect(err).toEndWith(`; ${root}/nexus help installs it\n`);
});
