// Sentences that have places for names and numbers, carried over from one language into another.
// A sentence is known as a whole or not at all; what fills a place is carried over too, where it is known.

/** A sentence of the server with places `{0}`, `{1}` …, and the same in another language, where `{0#}` is the place of a number to be written anew. */
export type Pair = readonly [from: string, to: string];

/** Carries texts over by a list of pairs; null for a text that none of them fits. Numbers are written anew by what is given. */
export function carrier(pairs: readonly Pair[], written: (number: string) => string): (text: string) => string | null {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const known = pairs.map(([from, to]) => {
    const places = [...from.matchAll(/\{(\d)\}/g)].map((match) => Number(match[1]));
    const pattern = new RegExp(`^${from.split(/\{\d\}/).map(escaped).join('(.+?)')}$`, 's');
    return { places, pattern, to };
  });
  return function carry(text: string): string | null {
    for (const { places, pattern, to } of known) {
      const found = pattern.exec(text);
      if (!found) continue;
      return to.replace(/\{(\d)(#?)\}/g, (_, place: string, isNumber: string) => {
        const part = found[places.indexOf(Number(place)) + 1] ?? '';
        return carry(part) ?? (isNumber ? written(part) : part);
      });
    }
    return null;
  };
}

/** A file that nobody can read is refused by everyone who tried, one after the other: their sentences, each but once. */
export function eachRefusal(text: string): string[] {
  const parts = text.split('; ');
  const isOfFile = (part: string) => / (is not a (network|table)|holds another kind of network)\b/.test(part);
  return parts.every(isOfFile) ? [...new Set(parts)] : [text];
}
