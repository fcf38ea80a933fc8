/** Which URLs are attachments, and under which name one is kept. Pure. */

/** On the configured web site only. */
export function isAttachment(url: string, webOrigin: string): boolean {
	const parsed = URL.parse(url);
	return (
		parsed !== null &&
		parsed.origin === new URL(webOrigin).origin &&
		parsed.username === "" &&
		/^\/user-attachments\/(?:assets|files)\/[^/]/.test(parsed.pathname)
	);
}

/** `location`: where the site sent us for the bytes. One segment, without a character that a shell or a path would read. */
export function fetchedName(url: string, location: string): string {
	const last = new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "";
	const stem = last.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "_");
	const ext = extension(new URL(location));
	return stem.toLowerCase().endsWith(ext) ? stem : `${stem}${ext}`;
}

const BY_TYPE: Readonly<Record<string, string>> = {
	"image/png": ".png",
	"image/jpeg": ".jpg",
	"image/gif": ".gif",
	"image/webp": ".webp",
	"image/svg+xml": ".svg",
	"application/pdf": ".pdf",
};

function extension({ pathname, searchParams }: URL): string {
	const named = /\.[A-Za-z0-9]{1,8}$/.exec(pathname)?.[0].toLowerCase();
	const type = searchParams.get("response-content-type") ?? "";
	return named ?? BY_TYPE[type.split(";")[0]?.trim() ?? ""] ?? ".bin";
}
