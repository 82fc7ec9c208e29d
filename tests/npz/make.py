"""Makes the files of this folder, with which the reading of networks is tested (NumPy 2.4.6)."""

import numpy as np

FIRST = np.array([[0.5, -1.0, 2.0], [0.25, 8.0, -0.125]])
SECOND = np.array([1.5, -3.0])

np.savez("double.npz", N=5, WALLS=1, W1=FIRST, W2=SECOND.reshape(2, 1))
np.savez("single.npz", N=5, WALLS=1, W1=FIRST.astype(np.float32), W2=SECOND.astype(np.float32))
np.savez_compressed("compressed.npz", N=np.int32(5), WALLS=1.0, W1=FIRST, W2=SECOND)
np.savez("fortran.npz", N=5, WALLS=1, W1=np.asfortranarray(FIRST), W2=SECOND)
np.savez("extra.npz", N=5, WALLS=1, W1=FIRST, W2=SECOND, GAMES=1000, NOTE="a text of NumPy's own kind")
np.savez("flat.npz", N=5, WALLS=1, W1=FIRST.ravel(), W2=SECOND)
np.savez("uneven.npz", N=5, WALLS=1, W1=FIRST, W2=np.ones(3))
np.savez("lacking.npz", N=5, WALLS=1, W1=FIRST)
np.savez("words.npz", N=5, WALLS=1, W1=np.array(["a", "b"]), W2=SECOND)
