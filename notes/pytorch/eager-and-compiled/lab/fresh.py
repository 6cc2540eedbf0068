"""Settings for all programs of the lab that generate code; import it before torch.

Every program gets an empty cache folder, so that nothing is taken from an earlier run. Inductor does not
test by a trial build whether vector instructions work, and compiles in one process: both only save time.
"""

import os
import tempfile

os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp())
os.environ["TORCHINDUCTOR_VEC_ISA_OK"] = "1"
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
