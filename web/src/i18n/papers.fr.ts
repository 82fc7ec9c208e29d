// The documents and studies, and what is reproduced of them, in French. The keys are the server's own titles.

export const PAPERS: Record<string, string> = {
  'Bourdet & Abadie 2025: the exact probabilities of Minesweeper': 'Bourdet & Abadie 2025 : les probabilités exactes du démineur',
  'Julien Bourdet, Florian Abadie, Compte rendu de projet : Algorithme 2, Minesweeper, ENSSAT, Lannion, January 2025.':
    'Julien Bourdet, Florian Abadie, Compte rendu de projet : Algorithme 2, Minesweeper, ENSSAT, Lannion, janvier 2025.',
  '§2.3: the worked example': '§2.3 : l’exemple détaillé',
  '§2.2 and §2.3: cases to try, naïvely and by groups': '§2.2 et §2.3 : cas à essayer, naïvement et par groupes',
  '§2.3: what the printed formula leaves out': '§2.3 : ce que la formule imprimée oublie',
  '§2: how often the strategy wins': '§2 : combien de fois la stratégie gagne',

  'Müller 1992: a neural network as the evaluation function of a game': 'Müller 1992 : un réseau de neurones comme fonction d’évaluation d’un jeu',
  "Didier Müller, Utilisation d'un réseau de neurones artificiels comme fonction d'évaluation d'un jeu, EPFL-DMA, Lausanne, November 1992.":
    'Didier Müller, Utilisation d’un réseau de neurones artificiels comme fonction d’évaluation d’un jeu, EPFL-DMA, Lausanne, novembre 1992.',
  '§3.1: the data base of positions': '§3.1 : la base de positions',
  'The expert against itself (the four cells that Tables 4.1–4.5 share)': 'L’expert contre lui-même (les quatre cases communes aux tableaux 4.1 à 4.5)',
  'Table 4.1: the network r against the expert': 'Tableau 4.1 : le réseau r contre l’expert',
  'Table 4.2: r*, the network that is helped to see the end of the game': 'Tableau 4.2 : r*, le réseau que l’on aide à voir la fin de la partie',
  'Table 4.3: r* taught by as many positions of games won by o as by +': 'Tableau 4.3 : r* instruit par autant de positions de parties gagnées par o que par +',
  'Table 4.4: r* taught by games won by o only': 'Tableau 4.4 : r* instruit par les seules parties gagnées par o',
  'Table 4.5: r* taught by games won by + only': 'Tableau 4.5 : r* instruit par les seules parties gagnées par +',
  '§5: the second approach, 44 features of a position': '§5 : la seconde approche, 44 traits d’une position',

  'Push-over measured against perfect play': 'Push-over mesuré au jeu parfait',
  'A study of this project. The 4×4 game is solved exactly (`outplay solve pushover`), so a move is either a mistake or it is not.':
    'Une étude de ce projet. Le jeu 4×4 est résolu exactement (`outplay solve pushover`) : un coup est une erreur ou ne l’est pas.',
  'Who keeps the value of the game': 'Qui garde la valeur de la partie',
  'A player without an expert, as Müller wished for it': 'Un joueur sans expert, comme Müller le souhaitait',

  'INFO-F-106 2019: Quoridor learnt by self-play': 'INFO-F-106 2019 : Quoridor appris en jouant contre soi-même',
  "Jérôme De Boeck, Gwenaël Joret, Charlotte Nachtegael, Arnaud Pollaris, Cédric Ternon, INFO-F-106 : Projet d'informatique. Une intelligence artificielle pour Quoridor, Université libre de Bruxelles, 28 March 2019.":
    'Jérôme De Boeck, Gwenaël Joret, Charlotte Nachtegael, Arnaud Pollaris, Cédric Ternon, INFO-F-106 : Projet d’informatique. Une intelligence artificielle pour Quoridor, Université libre de Bruxelles, 28 mars 2019.',
  'Part 1: Monte Carlo, TD(0) and Q-learning with tables, on seven boards': 'Partie 1 : Monte-Carlo, TD(0) et Q-learning avec des tables, sur sept plateaux',
  '§2.8: the graph': '§2.8 : le graphique',
  'Footnote 3: the deviation of the first weights': 'Note 3 : l’écart-type des premiers poids',
  '§4.1.1–4.1.5: ways to explore and to learn': '§4.1.1–4.1.5 : façons d’explorer et d’apprendre',
  '§4.1.6: activations': '§4.1.6 : fonctions d’activation',
  'Beyond the document: what a network sees': 'Au-delà du document : ce que voit un réseau',

  'Quoridor players side by side': 'Les joueurs de Quoridor côte à côte',
  'A study of this project: the real board of 9×9 with ten walls, and the tournament board of INFO-F-106.':
    'Une étude de ce projet : le vrai plateau de 9×9 avec dix murs, et le plateau du tournoi d’INFO-F-106.',
  'Alpha-beta and Monte-Carlo tree search on 9×9': 'Alpha-bêta et recherche de Monte-Carlo sur 9×9',
  'What a wall is worth on 9×9': 'Ce que vaut un mur sur 9×9',
  'The levels of the expert on 9×9': 'Les niveaux de l’expert sur 9×9',
  "The tournament's AI on 5×5 with three walls": 'L’IA du tournoi sur 5×5 avec trois murs',
  '9×9 learnt by self-play': '9×9 appris en jouant contre soi-même',
  'The network of 9×9 against searches': 'Le réseau de 9×9 contre des recherches',

  "ChessMate 2018: chess learnt from an engine's games": 'ChessMate 2018 : les échecs appris des parties d’un moteur',
  "Thomas Dahmen, Oscar Bouvier, Raphaël Macquet, Jean Forissier, ChessMate : jeu d'échecs et intelligence artificielle, Télécom SudParis, 30 May 2018.":
    'Thomas Dahmen, Oscar Bouvier, Raphaël Macquet, Jean Forissier, ChessMate : jeu d’échecs et intelligence artificielle, Télécom SudParis, 30 mai 2018.',
  '§3.2.2, §3.2.5: what a judgement, a move and a simulation take': '§3.2.2, §3.2.5 : ce que prennent un jugement, un coup et une simulation',
  '§3.2.3: the accuracy of the network by learning rate': '§3.2.3 : l’exactitude du réseau selon le taux d’apprentissage',
  '§3.2.3: the accuracy of the network by epochs': '§3.2.3 : l’exactitude du réseau selon les époques',
  '§3.2.4: the accuracy of nearest neighbours by k, with the leak and without': '§3.2.4 : l’exactitude des plus proches voisins selon k, avec la fuite et sans',
  'Beyond the document: everyone against everyone': 'Au-delà du document : chacun contre chacun',

  'Salamone 2018: machine learning of Minesweeper': 'Salamone 2018 : apprentissage automatique du démineur',
  'Nico Salamone, Apprentissage automatique du jeu du démineur, projet de Master en sciences informatiques, Université de Mons, 2017–2018.':
    'Nico Salamone, Apprentissage automatique du jeu du démineur, projet de Master en sciences informatiques, Université de Mons, 2017–2018.',
  '§4.6, §5: duplicates and high numbers in the data sets': '§4.6, §5 : doublons et grands chiffres dans les ensembles',
  '§3.4: the random AI': '§3.4 : l’IA aléatoire',
  '§3.4, Figures 15–17: the first AI': '§3.4, figures 15–17 : la première IA',
  '§4.1, Figure 18: the share of mined centres': '§4.1, figure 18 : la part de centres minés',
  '§4.2, Figure 19: the order of the samples': '§4.2, figure 19 : l’ordre des exemples',
  '§4.3, Figures 13, 14 and 20: the number of samples': '§4.3, figures 13, 14 et 20 : le nombre d’exemples',
  '§4.3, Figures 21 and 22: ten times as many samples': '§4.3, figures 21 et 22 : dix fois plus d’exemples',
  '§4.4, Figure 23: the size of the batch': '§4.4, figure 23 : la taille du lot',
  '§4.4, Figure 24: the number of epochs': '§4.4, figure 24 : le nombre d’époques',
  '§4.4, Figures 25 and 26: batch 2000, six epochs': '§4.4, figures 25 et 26 : lots de 2000, six époques',
  '§4.5: a larger structure': '§4.5 : une structure plus grande',
  '§4.6, Figures 27 and 28: no sub-grid twice': '§4.6, figures 27 et 28 : aucune sous-grille deux fois',
  '§4.7: the AI with flags': '§4.7 : l’IA avec drapeaux',
  '§4.8, Figures 29–31: playful level and flag threshold': '§4.8, figures 29–31 : niveau de jeu et seuil des drapeaux',
  'Table 3: boards of other sizes': 'Tableau 3 : plateaux d’autres tailles',
  'Table 4: other densities': 'Tableau 4 : autres densités',

  'Minesweeper players side by side': 'Les joueurs de démineur côte à côte',
  'A study of this project, on the boards of chapter 5 of Salamone 2018 and on the usual ones.':
    'Une étude de ce projet, sur les plateaux du chapitre 5 de Salamone 2018 et sur les plateaux habituels.',
  'Boards of many sizes, a tenth of the cells mined': 'Plateaux de toutes tailles, un dixième des cases minées',
  '10×10 boards with more and more mines': 'Plateaux de 10×10 avec de plus en plus de mines',
  'The usual boards, every player choosing its first cell': 'Les plateaux habituels, chaque joueur choisissant sa première case',
  'The boards with most guesses, late guesses played on from': 'Les plateaux où l’on devine le plus, avec la suite des paris tardifs',
  'The network choosing its first cell': 'Le réseau choisissant sa première case',
};
