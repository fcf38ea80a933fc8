import { afterEach, expect, test } from "bun:test";
import type { Server } from "bun";
import { realNet } from "../../monitor/_sys/net.ts";

const servers: Server<unknown>[] = [];
const PROXY_NAMES = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
const before = PROXY_NAMES.map((name) => [name, process.env[name]] as const);

afterEach(async () => {
	for (const [name, value] of before)
		if (value === undefined) delete process.env[name];
		else process.env[name] = value;
	for (const server of servers.splice(0)) await server.stop(true);
});

function serve(answer: (request: Request) => Response): string {
	const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
	servers.push(server);
	return `http://127.0.0.1:${server.port}`;
}

test("a redirect is an answer: nobody's credentials follow it by themselves", async () => {
	const seen: string[] = [];
	const other = serve((request) => {
		seen.push(request.url);
		return new Response("other");
	});
	const url = serve(() => Response.redirect(`${other}/taken`, 302));
	const answer = await realNet().fetch(url, {
		headers: { authorization: "secret" },
	});
	expect(answer.status).toBe(302);
	expect(answer.headers.get("location")).toBe(`${other}/taken`);
	expect(seen).toEqual([]);
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
