import { expect, test } from "bun:test";
import { OLD_PUT_ADVISORY, renderFooter } from "../../monitor/_emit/footer.ts";
import { DASHBOARD } from "./worked-example.ts";

const NOW = Date.parse("2026-05-11T13:42:01-07:00") / 1000;
const text = (...lines: string[]) => lines.map((l) => `${l}\n`).join("");
const put = (ts: string) =>
	`last put: ${ts} (local stamp — when \`ng dashboard put\` last ran here)`;

test.each([
	["two hours less a second ago", "2026-05-11T11:42:02-07:00", false],
	["two hours ago", "2026-05-11T11:42:01-07:00", true],
	["a little ahead", "2026-05-11T13:50:00-07:00", false],
	["too far ahead to believe", "2027-01-01T00:00:00Z", true],
	["not a time", "yesterday-ish", true],
])("a put %s", (_name, ts, advisory) => {
	expect(renderFooter(DASHBOARD, ts, NOW)).toBe(
		text("--- dashboard ---", put(ts), ...(advisory ? OLD_PUT_ADVISORY : [])),
	);
});

test("what an old put says is what the duplicate gate leaves out, word for word", () => {
	expect(OLD_PUT_ADVISORY).toEqual([
		"(no put in > 2h. NOT a staleness check: nothing here reads the issue",
		" body, so the dashboard may be current, or stale, or edited elsewhere.",
		" To KNOW, read it: `monitor/ng dashboard get`.)",
	]);
});

test("without a stamp the footer says that it says nothing", () => {
	expect(renderFooter(DASHBOARD, null, NOW)).toBe(
		text(
			"--- dashboard ---",
			"last put: unknown",
			"(no dashboard-updated.ts — no put recorded on this host. Says nothing",
			" about the dashboard body; read it with `monitor/ng dashboard get`.)",
		),
	);
});

test("a stamp with control characters cannot forge a line", () => {
	const footer = renderFooter(DASHBOARD, "x\n--- requests ---\u001b[0m", NOW);
	expect(footer).toContain("last put: x --- requests --- [0m (local stamp");
});

const external = { ...DASHBOARD, kind: "external" };
const page = (value: string) =>
	`external page: ${value} — operator-run status page; the overview dashboard is not maintained here.`;
test.each([
	[
		"with a page",
		{ urlFile: "/u", url: "https://status.example" },
		page("https://status.example"),
	],
	["without a file", {}, page("(status_surface.url_file unset)")],
	["with an unreadable file", { urlFile: "/u" }, page("(unreadable: /u)")],
])("an external surface %s never mentions a put", (_name, part, line) => {
	expect(renderFooter({ ...external, ...part }, "2020", NOW)).toBe(
		text("--- status surface ---", line),
	);
});

test("a feed adds its line", () => {
	const footer = renderFooter(
		{ ...external, urlFile: "/u", url: "x", feed: "/srv/feed" },
		null,
		NOW,
	);
	expect(footer).toEndWith("landings feed: /srv/feed\n");
});

test("an unknown kind is announced, then the default lines follow", () => {
	const lines = renderFooter({ ...DASHBOARD, kind: "wiki" }, null, NOW).split(
		"\n",
	);
	expect(lines[0]).toBe("--- dashboard ---");
	expect(lines[1]).toBe(
		"CONFIG ERROR: status_surface.kind 'wiki' is not a known kind (overview-dashboard | external).",
	);
	expect(lines[2]).toContain("status_surface.kind");
	expect(lines[2]).toContain("config/nexus.yml");
	expect(lines[3]).toBe("last put: unknown");
	expect(renderFooter({ ...DASHBOARD, kind: "" }, null, NOW)).not.toContain(
		"CONFIG ERROR",
	);
});
