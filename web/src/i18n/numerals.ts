// Numbers inside texts of the server, as a language writes them.

import type { Language } from '../lib/prefs.svelte';

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const raised = (power: string) => [...power].map((sign) => (sign === '-' ? '⁻' : (RAISED[Number(sign)] ?? ''))).join('');

/** 0.4 is 0,4 in French. */
export const fraction = (text: string, language: Language) => (language === 'fr' ? text.replace(/(\d)\.(?=\d)/g, '$1,') : text);

/** 6.3e24 is 6.3 × 10²⁴, and in French 6,3 × 10²⁴; 40.0% is 40,0 % there. */
export function numerals(text: string, language: Language): string {
  const powers = text.replace(/(\d)e\+?(-?\d+)/g, (_, digit: string, power: string) => `${digit} × 10${raised(power)}`);
  return language === 'fr' ? fraction(powers, language).replace(/(\d)%/g, '$1\u202f%') : powers;
}
