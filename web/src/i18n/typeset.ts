// French as it is printed: no line begins with a mark that stands after a space, nor ends with one that stands before it.
// The files of words have plain spaces, which can be seen and searched for; these are bound where the words are handed out.

const THIN = / (?=[;!?])/g;
const WIDE = / (?=[:»%…])|(?<=«) /g;

/** A French text with its spaces bound to the marks they belong to. */
export const bound = (text: string): string => text.replace(THIN, '\u202f').replace(WIDE, '\u00a0');

/** The same for a whole dictionary, whatever its words are made by. */
export function allBound<Words>(words: Words): Words {
  if (typeof words === 'string') return bound(words) as Words;
  if (typeof words === 'function') return ((...given: unknown[]) => allBound(words(...given))) as Words;
  if (Array.isArray(words)) return words.map(allBound) as Words;
  if (typeof words === 'object' && words !== null) return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, allBound(value)])) as Words;
  return words;
}
