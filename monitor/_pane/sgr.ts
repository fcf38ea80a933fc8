/** Text attributes of a terminal cell and the SGR sequences that change them (contract 03 §6). */

/** A palette number (0–15 are the sixteen named colours), `#rrggbb`, or the terminal's own. */
export type Colour = number | `#${string}` | "default";

export interface Style {
	readonly fg: Colour;
	readonly bg: Colour;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly italic: boolean;
	readonly underline: boolean;
	readonly reverse: boolean;
	readonly strike: boolean;
}

export const PLAIN: Style = {
	fg: "default",
	bg: "default",
	bold: false,
	dim: false,
	italic: false,
	underline: false,
	reverse: false,
	strike: false,
};

/**
 * The style after `CSI <params> m`. `params` is what stands between `[` and `m`; parameters part at
 * `;`, sub-parameters at `:`. Unknown parameters change nothing.
 */
export function applySgr(style: Style, params: string): Style {
	if (params === "" || params === "0") return PLAIN;
	const next = { ...style };
	const list = params.split(";");
	for (let i = 0; i < list.length; i++) {
		const sub = (list[i] ?? "").split(":");
		const code = Number(sub[0]);
		if (code === 38 || code === 48) {
			// `38:2:…` carries its numbers itself; `38;2;…` takes them from the parameters that follow.
			const own = sub.length > 1;
			const args = own ? sub.slice(1) : list.slice(i + 1, i + 5);
			const { colour, used } = extendedColour(args, own);
			if (!own) i += used;
			if (colour !== null) next[code === 38 ? "fg" : "bg"] = colour;
		} else if (code === 0) Object.assign(next, PLAIN);
		else if (sub.length === 1 || code === 4) applyOne(next, code, sub[1]);
	}
	return next;
}

/** `5;n` or `2;r;g;b`; the colon form of RGB may name a colour space first (`2:<space>:r:g:b`). */
function extendedColour(
	args: readonly string[],
	colons: boolean,
): { readonly colour: Colour | null; readonly used: number } {
	if (args[0] === "5") return { colour: paletteColour(args[1]), used: 2 };
	if (args[0] !== "2") return { colour: null, used: 1 };
	const from = colons && args.length > 4 ? 2 : 1;
	return { colour: rgb(args.slice(from, from + 3)), used: 4 };
}

function paletteColour(text: string | undefined): Colour | null {
	const n = Number(text);
	return text && Number.isInteger(n) && n >= 0 && n <= 255 ? n : null;
}

function rgb(parts: readonly string[]): Colour | null {
	if (parts.length < 3) return null;
	const hex = parts.map((p) => (Number(p) & 255).toString(16).padStart(2, "0"));
	return `#${hex.join("")}`;
}

type Mutable = { -readonly [K in keyof Style]: Style[K] };

function applyOne(style: Mutable, code: number, sub: string | undefined): void {
	if (code >= 30 && code <= 37) style.fg = code - 30;
	else if (code >= 90 && code <= 97) style.fg = code - 82;
	else if (code >= 40 && code <= 47) style.bg = code - 40;
	else if (code >= 100 && code <= 107) style.bg = code - 92;
	else SINGLE[code]?.(style, sub);
}

const SINGLE: Readonly<
	Record<number, (style: Mutable, sub: string | undefined) => void>
> = {
	1: (s) => {
		s.bold = true;
	},
	2: (s) => {
		s.dim = true;
	},
	3: (s) => {
		s.italic = true;
	},
	// `4:0` ends an underline, `4:3` is a curly one.
	4: (s, sub) => {
		s.underline = sub !== "0";
	},
	7: (s) => {
		s.reverse = true;
	},
	9: (s) => {
		s.strike = true;
	},
	21: (s) => {
		s.underline = true;
	},
	22: (s) => {
		s.bold = false;
		s.dim = false;
	},
	23: (s) => {
		s.italic = false;
	},
	24: (s) => {
		s.underline = false;
	},
	27: (s) => {
		s.reverse = false;
	},
	29: (s) => {
		s.strike = false;
	},
	39: (s) => {
		s.fg = "default";
	},
	49: (s) => {
		s.bg = "default";
	},
};
