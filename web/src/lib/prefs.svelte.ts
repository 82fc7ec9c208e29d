// What a person chose for the page: language, light or dark. Kept in the browser.

export type Language = 'en' | 'fr';
export type Theme = 'system' | 'light' | 'dark';

/** The media query under which what is meant for the dark is shown. */
export const darkMedia = (theme: Theme): string => ({ system: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all' })[theme];

function stored<T extends string>(key: string, allowed: readonly T[], otherwise: T): T {
  try {
    const found = localStorage.getItem(`outplay.${key}`);
    return allowed.find((one) => one === found) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function store(key: string, value: string) {
  try {
    localStorage.setItem(`outplay.${key}`, value);
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}

const preferred = (): Language => (globalThis.navigator?.language.toLowerCase().startsWith('fr') ? 'fr' : 'en');

class Prefs {
  language = $state<Language>(stored('language', ['en', 'fr'], preferred()));
  theme = $state<Theme>(stored('theme', ['system', 'light', 'dark'], 'system'));

  speak(language: Language) {
    this.language = language;
    store('language', language);
  }

  wear(theme: Theme) {
    this.theme = theme;
    store('theme', theme);
    this.apply();
  }

  /** Puts the choice on the page. */
  apply() {
    const root = document.documentElement;
    if (this.theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = this.theme;
    root.lang = this.language;
  }
}

export const prefs = new Prefs();
