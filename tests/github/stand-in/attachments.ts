/**
 * Files that people drag into comments. They lie on the web site, open to a person's token and to no App's; and the site only
 * points to a storage on another host, which must never see the token.
 */
import { identify } from "./auth.ts";
import type { Place } from "./place.ts";

export interface Storage {
	/** Null: not an attachment's path. */
	answer(request: Request, place: Place): Response | null;
	stop(): Promise<void>;
}

const FRONT = "/user-attachments/";

export function openStorage(problems: string[]): Storage {
	let attachments: Place["state"]["attachments"] = {};
	const other = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch: (request) => {
			if (request.headers.has("authorization"))
				problems.push(`${request.url}: a token went to the storage`);
			const file = attachments[new URL(request.url).pathname.slice(1)];
			if (file === undefined) return new Response(null, { status: 404 });
			const headers = { "content-type": file.type };
			return new Response(Buffer.from(file.data, "base64"), { headers });
		},
	});
	return {
		answer: (request, place) => {
			const { pathname } = new URL(request.url);
			if (!pathname.startsWith(FRONT)) return null;
			attachments = place.state.attachments;
			const path = pathname.slice(FRONT.length);
			const known = identify(place, request.headers.get("authorization"));
			const isPerson = known.kind === "actor" && known.actor.kind === "user";
			if (!isPerson || attachments[path] === undefined)
				return new Response("Not Found", { status: 404 });
			const location = `http://127.0.0.1:${other.port}/${path}?signature=x`;
			return new Response(null, { status: 302, headers: { location } });
		},
		stop: () => other.stop(true),
	};
}
