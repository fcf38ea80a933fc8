/** The rules that the real and the fake network both keep, and what only the real one can get wrong. */
import { afterEach, describe, expect, test } from "bun:test";
import type { Server } from "bun";
import type { Net } from "../../monitor/_sys/doors.ts";
import { realNet } from "../../monitor/_sys/net.ts";
import { fakeNet } from "../fakes/net.ts";

type Answer = (request: Request) => Response;
const servers: Server<unknown>[] = [];
const PROXY_NAMES = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
const before = PROXY_NAMES.map((name) => [name, process.env[name]] as const);

afterEach(async () => {
	for (const [name, value] of before)
		if (value === undefined) delete process.env[name];
		else process.env[name] = value;
	for (const server of servers.splice(0)) await server.stop(true);
});

function serve(answer: Answer): string {
	const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
	servers.push(server);
	return `http://127.0.0.1:${server.port}`;
}

/** A network with one server, and its address. */
const KINDS: readonly (readonly [string, (answer: Answer) => [Net, string]])[] =
	[
		["the real network", (answer) => [realNet(), serve(answer)]],
		[
			"the fake network",
			(answer) => {
				const net = fakeNet();
				net.answer(/^\w+ http:\/\/server\//, ({ line, headers, body }) => {
					const [method = "GET", url = ""] = line.split(" ");
					const text = body === "" ? {} : { body };
					return answer(new Request(url, { method, headers, ...text }));
				});
				return [net, "http://server"];
			},
		],
	];

describe.each(KINDS)("%s", (_name, open) => {
	test("carries method, headers and answer", async () => {
		const [net, url] = open((request) =>
			Response.json(
				{ method: request.method, said: request.headers.get("x-said") },
				{ status: 418 },
			),
		);
		const init = { method: "PUT", headers: { "x-said": "hello" }, body: "b" };
		const answer = await net.fetch(`${url}/x`, init);
		expect(answer.status).toBe(418);
		expect(await answer.json()).toEqual({ method: "PUT", said: "hello" });
	});

	test("answers a redirect with the redirect: nobody's credentials follow it by themselves", async () => {
		let asked = 0;
		const [net, url] = open(() => {
			asked += 1;
			return Response.redirect("http://127.0.0.1:9/taken", 302);
		});
		const answer = await net.fetch(`${url}/x`, {});
		expect(answer.status).toBe(302);
		expect(answer.headers.get("location")).toBe("http://127.0.0.1:9/taken");
		expect(asked).toBe(1);
	});

	test("rejects when nobody listens, and when the signal has aborted", async () => {
		const [net, url] = open(() => new Response("here"));
		await expect(net.fetch("http://127.0.0.1:9/", {})).rejects.toThrow();
		const signal = AbortSignal.abort();
		await expect(net.fetch(`${url}/x`, { signal })).rejects.toThrow();
	});
});

test("a request to this machine does not go through the proxy of the environment", async () => {
	const seen: string[] = [];
	const proxy = serve((request) => {
		seen.push(request.headers.get("authorization") ?? "");
		return new Response("proxy");
	});
	const url = serve(() => new Response("direct"));
	process.env.HTTP_PROXY = proxy;
	process.env.http_proxy = proxy;
	process.env.NO_PROXY = "example.org";
	process.env.no_proxy = "example.org";
	// Without the door, bun hands even this to the proxy.
	expect(await (await fetch(url)).text()).toBe("proxy");
	const answer = await realNet().fetch(url, {
		headers: { authorization: "secret" },
	});
	expect(await answer.text()).toBe("direct");
	expect(seen).toEqual([""]);
	expect(process.env.NO_PROXY).toStartWith("example.org,");
});
