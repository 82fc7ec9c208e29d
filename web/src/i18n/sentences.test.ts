import { describe, expect, it } from 'vitest';
import { numerals } from './numerals';
import { carrier, eachRefusal } from './sentences';
import { SENTENCES } from './sentences.fr';

const french = carrier(SENTENCES, (number) => numerals(number, 'fr'));

describe('sentences of the server in French', () => {
  it('are carried over with what fills their places', () => {
    expect(french("the move 'e3h' cannot be played: it would overlap or cross another wall")).toBe(
      'le coup « e3h » ne peut être joué : il chevaucherait ou croiserait un autre mur',
    );
    expect(french('black has 2 kings, expected one')).toBe('les Noirs : 2 rois, attendu un seul');
    expect(french('a mistake: c4 was a worse guess: a mine with 20.0%, wins about 31.0%; d5 wins 4.0 points (95%: 1.0 to 7.0) more often')).toBe(
      'une erreur : c4 — moins bon pari : une mine à 20,0\u202f%, gagne environ 31,0\u202f% ; d5 gagne 4,0 points (95 % : 1,0 à 7,0) plus souvent',
    );
  });

  it('tell what a parameter expects, and leave its value alone', () => {
    expect(french('size=99: expected a whole number from 3 to 9')).toBe('size=99 : attendu un nombre entier de 3 à 9');
    expect(french("player 'engine' has no parameter 'eval': expected one of level, time")).toBe('le joueur « engine » n’a pas de paramètre « eval » : attendu un de level, time');
    expect(french("player 'random' has no parameter 'eval': expected none")).toBe('le joueur « random » n’a pas de paramètre « eval » : aucun n’est attendu');
    expect(french('playout=none: expected one of random, likely')).toBe('playout=none : attendu un de random, likely');
  });

  it('are carried over one by one where a file was refused by several', () => {
    const network = 'x is not a network to play with: it is not an .npz file (cut)';
    expect(eachRefusal(`${network}; x is not a table of this game: line 1: 'a', expected 'b'; ${network}`).map(french)).toEqual([
      'x n’est pas un réseau avec lequel jouer : ce n’est pas un fichier .npz (cut)',
      'x n’est pas une table de ce jeu : ligne 1 : « a », attendu « b »',
    ]);
    expect(eachRefusal('won; something else')).toEqual(['won; something else']);
  });

  it('name what is missing or cannot be', () => {
    expect(french("the move 'O-O' cannot be played: none of black's pieces can do that")).toBe('le coup « O-O » ne peut être joué : aucune pièce noire ne peut faire cela');
    expect(french('the FEN has no side to move')).toBe('le FEN est incomplet : il manque le trait');
  });

  it('are left alone where they are not known', () => expect(french('something else entirely')).toBeNull());

  it('have the same places in both languages', () => {
    for (const [from, to] of SENTENCES) {
      const places = (text: string) => [...text.matchAll(/\{(\d)#?\}/g)].map((match) => match[1]).sort();
      expect(places(to), from).toEqual(places(from));
    }
  });
});
