"""The programs that nvcc would start for one kernel, as `nvcc --dryrun` lists them. Prints JSON."""

import json
import pathlib
import subprocess
import tempfile

CASES = {
    "one": ["-arch=sm_90"],
    "three": [f"-gencode=arch=compute_{a},code=sm_{a}" for a in (80, 86, 90)],
    "major": ["-arch=all-major"],
    "all": ["-arch=all"],
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "k.cu").write_text("__global__ void k(int *p) { *p = 1; }\n")
        facts = {}
        for name, flags in CASES.items():
            text = subprocess.run(["nvcc", "--dryrun", *flags, "-c", "k.cu"], cwd=folder, check=True,
                                  text=True, capture_output=True).stderr
            lines = [line.removeprefix("#$ ") for line in text.splitlines()]
            facts[f"{name}_cicc"] = sum('cicc" ' in line.split("--")[0] + " " for line in lines)
            facts[f"{name}_ptxas"] = sum(line.startswith("ptxas ") for line in lines)
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
