import { expect, test } from "bun:test";
import {
	parseListeners,
	tcpListeners,
} from "../../monitor/_sys/tcp-listeners.ts";

test("listeners are read from the kernel's two tables", () => {
	const rows = (...at: string[]) =>
		["  sl  local_address rem_address   st", ...at].join("\n");
	const line = (local: string, state: string) =>
		`   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000`;
	const v6 = (host: string) => line(`${host}:1F90`, "0A");
	const table = rows(
		line("0100007F:223D", "0A"),
		line("00000000:223D", "0A"),
		line("0101A8C0:0050", "01"),
		v6("00000000000000000000000001000000"),
		v6("0000000000000000FFFF00000100007F"),
		v6("00000000000000000000000000000000"),
	);
	expect(parseListeners(table)).toEqual([
		{ port: 8765, loopback: true },
		{ port: 8765, loopback: false },
		{ port: 8080, loopback: true },
		{ port: 8080, loopback: true },
		{ port: 8080, loopback: false },
	]);
});

test("a server of ours is among those of this machine", () => {
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: () => new Response(),
	});
	try {
		const seen = tcpListeners();
		expect(seen).toMatchObject({
			value: expect.arrayContaining([{ port: server.port, loopback: true }]),
		});
	} finally {
		server.stop(true);
	}
});
