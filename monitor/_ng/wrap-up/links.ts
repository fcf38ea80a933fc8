/** Links to a report in a comment (contract 05 §8.3). Pure. */
import { encodeSegment } from "../../_github/asset-url.ts";

/** Every URL that ends in the report's name becomes `newUrl`; a query or an anchor behind it stays. */
export function replaceAssetLinks(
	body: string,
	basename: string,
	newUrl: string,
): string {
	return body.replace(linkTo(basename), () => newUrl);
}

/** By file name, whatever the address in front of it. */
export function hasLinkTo(body: string, basename: string): boolean {
	return linkTo(basename).test(body);
}

/** The name may hold blanks and brackets, and may stand there percent-encoded. A period that ends the sentence ends the URL, too. */
function linkTo(basename: string): RegExp {
	const names = [basename, encodeSegment(basename)].map(RegExp.escape);
	return new RegExp(
		`https?://[^\\s<>"')]*?/(?:${names.join("|")})(?=$|\\.(?:\\s|$)|[^A-Za-z0-9._~/-])`,
		"g",
	);
}
