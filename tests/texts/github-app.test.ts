/** The page on the App asks for what the doctor looks for, and for nothing else. */
import { expect, test } from "bun:test";
import {
	NEEDED_EVENTS,
	NEEDED_PERMISSIONS,
} from "../../monitor/_nexus/doctor/github.ts";
import { readText } from "./commands.ts";

const page = readText("docs/github-app.md");

test("permissions", () => {
	const rows = page.matchAll(/^\| [^|]+ \| `([a-z_]+)` \| (read|write) \|/gm);
	expect([...rows].map(([, name, level]) => `${name} ${level}`)).toEqual(
		NEEDED_PERMISSIONS.map(([name, level]) => `${name} ${level}`),
	);
});

test("events", () => {
	const rows = page.matchAll(/^\| [^|]+ \| `([a-z_]+)` \|$/gm);
	expect([...rows].map(([, name]) => name)).toEqual([...NEEDED_EVENTS]);
});
